"""Atlantica as data: base.toml and the schema that says which values fit."""
