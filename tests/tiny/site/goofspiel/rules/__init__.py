"""The rules of Goofspiel as data."""
