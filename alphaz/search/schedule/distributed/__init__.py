"""Distributed mappings: places, steps and communication, chosen by a model of the network."""
