"""Memory allocation: memory maps as small as the order allows, each proved by the verifier before it is returned."""
