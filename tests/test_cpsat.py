"""What only the CP-SAT backend has."""

import random

import boards
import pytest
from ortools.sat.python import cp_model
from test_backends import agree, raw

import nurikabe_mip as nm
from nurikabe_mip.backends import cpsat
from nurikabe_mip.constraints import ShadingModel


@pytest.mark.parametrize("formulation", cpsat.FORMULATIONS)
def test_formulations_agree_with_the_oracle(formulation):
    rng = random.Random(formulation)
    for shape in [(4, 4), (3, 5), (1, 7)]:
        for _ in range(40):
            agree("cpsat", boards.random_board(rng, *shape), 3, formulation=formulation)
    for rows, answer in boards.WITNESSES.values():
        found = raw("cpsat", ShadingModel.of(boards.board(rows)), formulation=formulation)
        assert found == [answer.replace("/", "\n")]


def test_unknown_formulation_and_parameter():
    with pytest.raises(nm.OptionError, match="formulation is one of 'layers', 'circuit', 'ranks', 'flow'; got 'rank'"):
        nm.solve("1.", "cpsat", formulation="rank")
    with pytest.raises(nm.OptionError, match="CP-SAT has no parameter 'linearisation'"):
        nm.solve("3.\n..", "cpsat", parameters={"linearisation": 1})
    with pytest.raises(nm.OptionError, match="CP-SAT parameter linearization_level"):
        nm.solve("3.\n..", "cpsat", parameters={"linearization_level": "high"})


def test_a_constraint_without_encoder_is_refused():
    model = ShadingModel((1, 1), (object(),), [0])
    with pytest.raises(nm.OptionError, match="cannot encode the constraint object"):
        raw("cpsat", model)


@pytest.mark.parametrize("formulation", cpsat.FORMULATIONS)
def test_build_hands_back_a_model_that_can_be_extended(formulation):
    built = cpsat.build(boards.board(boards.SEVERAL), formulation)
    assert sorted(built.cells) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert built.cells[0, 1].name == "sea_0_1"
    built.problem.add(built.cells[1, 1] == 1)
    solver = cp_model.CpSolver()
    assert solver.solve(built.problem) == cp_model.OPTIMAL
    assert str(built.decode(solver.value)) == "--\n-#"
    names = [variable.name for variable in built.problem.proto.variables]
    assert "own_0_1_k0" in names and len(set(names)) == len(names)
    assert built.decode({"sea_1_1": 0.9999, "own_0_1_k0": 1.0}) == built.decode(solver.value)
    built.problem.add(built.cells[0, 1] == 1)
    assert solver.solve(built.problem) == cp_model.INFEASIBLE
