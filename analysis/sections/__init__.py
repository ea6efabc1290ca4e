"""The sections that any game's report can have, one question a file.

What is particular to a game comes from its codes and from its page in analysis.games; nothing here asks which
game it is.
"""
