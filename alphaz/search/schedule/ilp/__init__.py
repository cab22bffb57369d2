"""The ILP engine: schedules by integer programs, with an objective that is a list of named terms."""
