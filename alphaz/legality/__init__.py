"""The verifier: states and discharges every obligation of a target mapping."""
