"""Engine 2: schedules by integer programs of our own, with an objective that is a list of named terms."""
