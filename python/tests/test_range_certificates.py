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


def row(path, low, high, **more):
    """Two boxes of side 2 whose faces lie in the same planes: one slides along x from −4, the other stands at 0."""
    box = graze.LinkMesh(BOX[0] / (0.2, 0.1, 0.15), BOX[1])
    slide = graze.Link([box], joint="prismatic", axis=(1, 0, 0), origin=graze.Frame([-4, 0, 0]))
    models = [graze.Model([slide]), graze.Model([graze.Link([box])])]
    return graze.articulated_range(models, [[(low, high)], None], certificate=path, **more)[0]


def test_solids_whose_faces_meet_in_one_plane_are_judged_alike_by_both(tmp_path):
    path = tmp_path / "range.json"
    pair = row(path, 2.5, 2.5)
    text = path.read_text()
    begin = text.index('"inside":[')
    assert pair.verdict == "hit" and judged(path) == (0, 0)
    accepted = 0
    for claim in [f"[{side},{face}]" for side in range(3) for face in range(13)] + ["[0]", "[0,1,2]", "[0.5,1]", "true", "[-1,0]"]:
        (tmp_path / "e.json").write_text(text[:begin + 9] + claim + text[text.index("]", begin) + 1:])
        ours, theirs = judged(tmp_path / "e.json")
        assert (ours == 0) == (theirs == 0), claim
        accepted += ours == 0
    assert accepted == 4


FORGED = [('[0,1.5]', '[0,2.25]'), ('[0,1.5]', '[0,1e300]'), ('[0,1.5]', '[1.5,0]'), ('[0,1.5]', '[0]'), ('[0,1.5]', ''),
          ('[0,1.5]', '{"follows":0,"multiplier":1,"offset":0}'), ('"links":[0,1]', '"links":[1,0]'),
          ('"position":[-4,0,0]', '"position":[-3,0,0]'), ('"axis":[1,0,0]', '"axis":[0,0,0]'),
          ('"separation":0', '"separation":0.51'), ('"separation":0', '"separation":-1'), ('"padding":0', '"padding":0.26'),
          ('[1,1,1]', '[9,1,1]'), ('"clear":"hx"', '"clear":"hy"'), ('"clear":"hx"', '"clear":""'),
          ('"clear":"hx"', '"clear":"h"'), ('"clear":"hx"', '"clear":"u"'), ('"clear":"hx"', '"clear":"hxhx"'),
          ('"clear":"hx"', '"clear":"c<0>x"'), ('"clear":"hx"', '"clear":"c<0>xu"'), ('"clear":"hx"', '"clear":"c<1>xx"'),
          ('"clear":"hx"', '"clear":"0"'), ('"clear":"hx"', '"clear":"h(0,0,0)"'), ('"clear":"hx"', '"clear":"h(01,0,0)"'),
          ('"clear":"hx"', '"clear":"t"'), ('"clear":"hx"', '"open":0.4,"rest":"c<0>ux"'),
          ('"clear":"hx"', '"open":0.5'), ('"clear":"hx"', '"open":-1,"rest":"hx"'),
          ('"clear":"hx"', '"touch":[0],"faces":[0,0]'), ('"clear":"hx"', '"touch":[9],"faces":[0,0]'),
          ('"clear":"hx"', '"touch":[0],"faces":[0,99]'), ('"clear":"hx"', '"touch":[0],"inside":true'),
          ('"clear":"hx"', '"touch":[0],"inside":[0,0]'), ('"skip":[]', '"skip":[[0,1]]'), ('\n]}', '\n]}x'),
          ('range certificate 1', 'range certificate 2')]


@pytest.mark.parametrize("old, new", FORGED)
def test_forged_ranges_are_refused_by_both(tmp_path, old, new):
    path = tmp_path / "range.json"
    assert row(path, 0, 1.5).verdict == "clear" and judged(path) == (0, 0)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    ours, theirs = judged(path)
    assert ours in (1, 2) and theirs in (1, 2)


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
