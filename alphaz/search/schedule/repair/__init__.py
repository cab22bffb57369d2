"""Hints that have been tried: small changes of a refuted mapping, each verified whole before it is offered."""
