"""Each prompt has its legal_ and its apply_, each step its function: what is forgotten fails here, by name."""

import ast
import inspect


def names_in(function, prefix):
    """Constants with a prefix that a function of the source compares with, `c.PROMPT_BID` or `PROMPT_BID`."""
    tree = ast.parse(inspect.getsource(getattr(function, "py_func", function)))
    nodes = [node for compare in ast.walk(tree) if isinstance(compare, ast.Compare) for node in ast.walk(compare)]
    found = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    found |= {node.id for node in nodes if isinstance(node, ast.Name)}
    return {name for name in found if name.startswith(prefix)}


def constants(module, prefix):
    """The constants of a module with a prefix."""
    return {name for name, value in vars(module).items() if name.startswith(prefix) and isinstance(value, int)}


def test_each_prompt_has_a_branch_in_legal_and_in_apply(game):
    step, prompts = game.module("step"), constants(game.module("codes"), "PROMPT_") - {"PROMPT_NONE"}
    assert len(prompts) == len(game.module("codes").PROMPTS) - 1
    assert names_in(step.legal, "PROMPT_") == prompts
    assert names_in(step.apply, "PROMPT_") - {"PROMPT_NONE"} == prompts


def test_each_step_has_a_branch_in_advance(game):
    step = game.module("step")
    steps = constants(step, "STEP_") or constants(game.module("codes"), "STEP_") or constants(step.s, "STEP_")
    assert len(steps) > 1
    assert names_in(step.advance, "STEP_") == steps


def test_legal_of_no_prompt_is_nothing(game):
    import numpy as np

    from tests.contract.batches import Batch, usual

    batch, step = Batch(game, usual(game)), game.module("step")
    state, out = batch.desk.states[0], np.zeros(step.MOST_LEGAL, np.int16)
    step.new_game(state, batch.desk.rules, np.uint64(1), 0)
    step.advance(state, batch.desk.rules)
    assert step.legal(state, batch.desk.rules, out) > 0
    for prompt in (0, len(game.module("codes").PROMPTS)):
        state.prompt = prompt
        assert step.legal(state, batch.desk.rules, out) == 0
