"""Robots from URDF files."""

import json
import os
import pathlib
import pickle
import subprocess

import numpy as np
import pytest

import graze
from graze import _c, robot

pytestmark = pytest.mark.skipif(
    not any((folder / robot.NAME).exists() for folder in (pathlib.Path(robot.__file__).parent,
                                                          pathlib.Path(_c.library._name).parent)),
    reason=f"no {robot.NAME} beside the library")

URDF = """<robot name="two"><link name="base"><collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>
<link name="arm"><collision><origin xyz="0.6 0 0"/><geometry><box size="0.8 0.1 0.1"/></geometry></collision></link>
<link name="tool"><collision><geometry><mesh filename="package://parts/t.obj"/></geometry></collision></link>
<joint name="turn" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/><limit lower="-1" upper="2"/></joint>
<joint name="slide" type="prismatic"><parent link="arm"/><child link="tool"/><origin xyz="1.5 0 0"/>
<mimic joint="turn" multiplier="-0.5" offset="0.25"/></joint></robot>"""


@pytest.fixture
def files(tmp_path):
    (tmp_path / "two.urdf").write_text(URDF)
    (tmp_path / "two.srdf").write_text('<robot name="two"><disable_collisions link1="base" link2="tool"/></robot>')
    (tmp_path / "t.obj").write_text("v 0 -1 -1\nv 0 1 -1\nv 0 0 1\nf 1 2 3\n")
    return tmp_path


def load(folder, **more):
    return graze.Model.from_urdf(folder / "two.urdf", packages={"parts": folder}, **more)


def test_a_robot_is_what_its_file_says(files):
    model = load(files, srdf=files / "two.srdf")
    facts = model.robot
    assert len(model) == 3 and model.values == facts.value_count == 2 and facts.name == "two"
    assert facts.joint_names == ("", "turn", "slide") and facts.skips == ((0, 2),)
    assert facts.limits[1].tolist() == [-1, 2] and facts.limits[2].tolist() == [-np.inf, np.inf]
    assert facts.pose({"turn": 1}).tolist() == [1, -0.25]
    with pytest.raises(ValueError, match="takes no value"):
        facts.pose({"slide": 1})
    with pytest.raises(ValueError, match="no joint 'x'"):
        facts.pose({"x": 1})
    again = pickle.loads(pickle.dumps(model))
    assert again.robot.skips == facts.skips and len(again) == 3 and again._names() == ["base", "arm", "tool"]


@pytest.mark.skipif("GRAZE_PROGRAM" not in os.environ, reason="GRAZE_PROGRAM does not name the program")
@pytest.mark.parametrize("skipped", [False, True])
def test_a_robot_answers_as_the_program(files, skipped):
    """The tool comes back to the base, which the SRDF leaves out."""
    entry = {"name": "two", "urdf": "two.urdf", "packages": {"parts": "."}}
    if skipped:
        entry["srdf"] = "two.srdf"
    (files / "m.json").write_text(json.dumps(
        {"models": [entry], "motion": {"two": {"from": {"turn": 0}, "to": {"turn": 4}}}}))
    said = json.loads(subprocess.check_output([os.environ["GRAZE_PROGRAM"], "articulate", files / "m.json", "--json"]))
    model = load(files, srdf=files / "two.srdf" if skipped else None)
    motion = graze.Motion(model.robot.pose({"turn": 0}), model.robot.pose({"turn": 4}))
    result = graze.articulated_step([model], [motion])
    assert (result.verdict, result.toi) == (said["verdict"], said["toi"]) and (said["verdict"] == "clear") == skipped


def test_what_is_wrong_is_a_line(files):
    with pytest.raises(ValueError, match=r"none\.urdf: cannot open"):
        graze.Model.from_urdf(files / "none.urdf")
    with pytest.raises(ValueError, match=r"two\.urdf:3: .*packages"):
        graze.Model.from_urdf(files / "two.urdf")
    (files / "two.urdf").write_text('<robot name="r">\n<link name="a"><collision><geometry><sphere radius="1,5"/></geometry>'
                                    '</collision></link></robot>')
    with pytest.raises(ValueError, match='two.urdf:2: radius="1,5"'):
        load(files)
