"""An independent, slow and obvious reference implementation of End of Atlantis, written from its documents alone."""
