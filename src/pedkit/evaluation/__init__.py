"""See docs/architecture.md: room 'evaluation'. Scoring a predictions file never loads torch."""
