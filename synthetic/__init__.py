"""Synthetic error speech: designed errors, said by phone-controlled engines, written as manifests.

A program beside the package, run from a clone as ``python -m synthetic``; see ``docs/synthetic.md``.
"""
