"""The verifier: every obligation of a target mapping, stated and discharged."""
