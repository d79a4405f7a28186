import random

import numpy as np
import pytest

import graze
from test_path_certificates import BOX, judged


def arm(seed):
    """Boxes on joints that turn or slide, and a range for each value."""
    here = np.random.default_rng(seed)
    links, ranges = [], []
    for i in range(4):
        kind = "revolute" if here.random() < 0.7 else "prismatic"
        links.append(graze.Link([graze.LinkMesh(*BOX)], parent=i - 1 if i else None, joint=kind, axis=here.uniform(-1, 1, 3),
                                origin=graze.Frame(here.uniform(-0.7, 0.7, 3) if i else [0, 0, 0], here.uniform(-1, 1, 4)),
                                padding=0.01 if here.random() < 0.3 else 0))
        middle, half = here.uniform(-1, 1), here.uniform(0, 0.8)
        ranges.append((middle - half, middle + half))
    if seed % 3 == 0:
        ranges[3] = graze.Follows(1, here.uniform(-1.5, 1.5), here.uniform(-0.5, 0.5))
    return graze.Model(links), ranges


def test_ranges_of_random_models_are_accepted_by_both(tmp_path):
    path, verdicts = tmp_path / "range.json", []
    for seed in range(30):
        model, ranges = arm(seed)
        pairs = graze.articulated_range([model], [ranges], separation=0.01 * (seed % 2), samples=20,
                                        max_cells=8 if seed % 4 == 0 else 400, certificate=path)
        said = graze.verify(path)
        assert said.accepted and said.pairs == len(pairs) == 3, (seed, said)
        counts = [sum(pair.verdict == name for pair in pairs) for name in ("clear", "hit", "unresolved")]
        assert [said.clear, said.touch, said.open] == counts
        assert judged(path) == (0, 3 if counts == [0, 0, 3] else 0)
        verdicts += [pair.verdict for pair in pairs]
        for pair in pairs:
            assert (pair.lower is None) == (pair.verdict != "unresolved")
            assert (pair.unresolved > 0) == (pair.verdict == "unresolved")
    assert {"clear", "hit", "unresolved"} <= set(verdicts)


def test_changed_numbers_are_judged_alike_by_both(tmp_path):
    """A file that one refuses is not accepted by the other; they may differ in what they call it."""
    path, here, refused = tmp_path / "range.json", random.Random(5), 0
    for seed in range(6):
        model, ranges = arm(seed)
        graze.articulated_range([model], [ranges], samples=20, max_cells=200, certificate=path)
        text = path.read_text()
        at = text.index('"ranges"')
        for _ in range(12):
            places = [i for i in range(at, len(text)) if text[i].isdigit()]
            i = here.choice(places)
            (tmp_path / "e.json").write_text(text[:i] + here.choice("0123456789ac<xh") + text[i + 1:])
            ours, theirs = judged(tmp_path / "e.json")
            assert (ours in (0, 3)) == (theirs in (0, 3)), text[max(i - 40, 0):i + 40]
            refused += theirs in (1, 2)
    assert refused > 20


def test_a_plan_is_clear_or_touches_and_has_its_proof(tmp_path):
    plate = graze.LinkMesh([[-1, -1, 0], [1, -1, 0], [0, 1, 0]], [[0, 1, 2]])
    models = [graze.Model([graze.Link([plate], joint="prismatic")]), graze.Model([graze.Link([plate])])]
    world = graze.World(models)
    free = graze.Spline([0, 0, 0, 1, 2, 2, 2], [[3], [1], [1], [3]], 2)
    through = graze.Spline([0, 0, 4, 4], [[3], [-1]])
    found = world.plan({0: through})
    assert found.verdict == "hit" and 3 - 1e-6 < found.time <= 3 and found.segments == 1
    assert world.plan({0: free}).verdict == "clear"
    path = tmp_path / "plan.json"
    assert graze.plan_certificate(path, models, {0: free}).verdict == "clear"
    assert graze.verify(path).accepted and judged(path) == (0, 0)
    assert graze.plan_certificate(tmp_path / "none.json", models, {0: through}).verdict == "unresolved"
    assert not (tmp_path / "none.json").exists()
    with pytest.raises(ValueError, match="knots"):
        world.plan({0: graze.Spline([0, 1], [[3], [-1]])})
    with pytest.raises(ValueError, match="values"):
        world.plan({0: graze.Spline([0, 0, 1, 1], [[3, 1], [-1, 1]])})
