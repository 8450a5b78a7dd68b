"""See docs/architecture.md: room 'fairness'. Groups, and the differences in measured error between them."""

from pedkit.fairness.groups import Group, GroupSums

__all__ = ["Group", "GroupSums"]
