"""End of Atlantis as data: base.toml, variants/ and the schema that says which values fit."""
