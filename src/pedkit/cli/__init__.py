"""See docs/architecture.md: room 'cli'. One file a verb; each does nothing but call into the rooms."""
