"""Backends that are not of the package."""
