"""Programs and scripts in editors and documents."""
