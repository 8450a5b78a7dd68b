"""Listening by people: a page to judge recordings on, and what becomes of their verdicts."""
