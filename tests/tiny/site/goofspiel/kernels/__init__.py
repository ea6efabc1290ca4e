"""Goofspiel, jitted."""

from goofspiel.kernels.rules import RULES_RECORD
from goofspiel.kernels.state import STATE_RECORD
from kernels.engine.contract import sign_policy
from kernels.jit import uncached

SIGNATURE = sign_policy(STATE_RECORD, RULES_RECORD)
policy = uncached(SIGNATURE)
