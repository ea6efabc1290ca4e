"""Habits of this house, as checks of a few lines each."""
