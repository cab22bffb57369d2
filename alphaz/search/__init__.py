"""Search for mappings: `schedule/` (dates), `memory/` (memory maps), `cost/` (estimated time). All are verified.

Entry points: `search.schedule.propose.propose`, `search.memory.proposal.propose`, `search.cost.estimate.estimate`."""
