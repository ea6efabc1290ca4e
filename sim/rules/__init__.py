"""The rules as data: a folder a game, with base.toml, overlays in variants/, and schema.py on what fits."""
