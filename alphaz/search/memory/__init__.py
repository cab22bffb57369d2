"""Memory maps found: as small as the order allows, and proved by the verifier before anybody sees them."""
