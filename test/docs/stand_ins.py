"""Files that the pages name and a reader would bring: made by the program where it can, else by a few lines here."""

import shutil
import subprocess

from blocks import blocks_of

TRIANGLE = ((0, 0, 0), (1, 0, 0), (0, 1, 0))
URDF = """<robot name="panda"><link name="base"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
<link name="hand"><collision><geometry><mesh filename="package://panda_description/hand.obj"/></geometry></collision></link>
<joint name="wrist" type="revolute"><parent link="base"/><child link="hand"/><axis xyz="0 0 1"/><limit lower="-1" upper="1"/></joint>
</robot>
"""
ROBOT = """{"models": [{"name": "arm", "links": [{"name": "base", "mesh": "base.obj"},
  {"name": "l1", "parent": "base", "joint": {"kind": "revolute"}, "mesh": "a.stl"}]}, {"name": "room", "mesh": "room.ply"}],
 "motion": {"arm": {"from": [0], "to": [1]}}}"""
SRDF = '<robot name="panda"><disable_collisions link1="base" link2="hand"/></robot>\n'


def obj(corners):
    return "".join(f"v {x} {y} {z}\n" for x, y, z in corners) + "f 1 2 3\n"


def stl(corners):
    rows = "".join(f"vertex {x} {y} {z}\n" for x, y, z in corners)
    return f"solid s\nfacet normal 0 0 1\nouter loop\n{rows}endloop\nendfacet\nendsolid s\n"


def ply(corners):
    rows = "".join(f"{x} {y} {z}\n" for x, y, z in corners)
    names = "".join(f"property double {axis}\n" for axis in "xyz")
    return (f"ply\nformat ascii 1.0\nelement vertex 3\n{names}element face 1\nproperty list uchar int vertex_indices\n"
            f"end_header\n{rows}3 0 1 2\n")


def at(x, y, z):
    return [(a + x, b + y, c + z) for a, b, c in TRIANGLE]


def plugin(folder, compiler, source):
    """The method of docs/plugins.md as the reader's own."""
    page = "docs/plugins.md"
    code = next(block.text for block in blocks_of(page, (source / page).read_text()) if block.language == "c")
    subprocess.run([compiler, "-xc", "-", "-shared", "-fPIC", "-I", source / "include", "-o", folder / "mine.so"], input=code,
                   text=True, check=True)


def make(folder, program, compiler, source):
    """Fills a folder: meshes, frames, queries, data, parts of robots, a scene of the simulator, a plugin."""
    folder.mkdir()
    run = lambda *words: subprocess.run([program, *words], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    run("scene", "cloth-ball", "--out", "falling", "--size", "8")
    frames = folder / "falling" / "frames"
    for name, number in (("before.ply", 7), ("after.ply", 8), ("A.ply", 7), ("B.ply", 8)):
        shutil.copy(frames / f"cloth-ball_{number}.ply", folder / name)
    shutil.copytree(frames, folder / "character")
    frames.rename(folder / "frames")
    for number in range(10):
        (folder / f"cloth_{number}.obj").write_text(obj(at(0, 0.1 * number, 1)))
    (folder / "floor.obj").write_text(obj(at(0, -1, 0)))

    run("handcraft", "--out", "data", "--count", "2")
    shutil.copytree(folder / "data", folder / "DATA" / "queries")
    shutil.copytree(folder / "frames", folder / "DATA" / "scenes" / "cloth-ball" / "frames")
    run("dataset", "DATA/scenes/cloth-ball", "--make", "--limit", "20")
    shutil.copy(next((folder / "data" / "inside" / "vertex-face").glob("*.csv")), folder / "queries-vf.csv")

    run("articulate", "--example", "walk", "--frames", "1", "--out", ".")
    (folder / "walk.json").rename(folder / "model.json")
    (folder / "base.obj").write_text(obj(TRIANGLE))
    (folder / "a.stl").write_text(stl(TRIANGLE))
    (folder / "room.ply").write_text(ply(at(5, 5, 0)))
    (folder / "robot.json").write_text(ROBOT)
    (folder / "plan.json").write_text('{"model": "arm", "times": [0, 2], "positions": [[0], [1]], "velocities": [[0], [0]]}')
    (folder / "panda.urdf").write_text(URDF)
    (folder / "panda.srdf").write_text(SRDF)
    (folder / "dir").mkdir()
    (folder / "dir" / "hand.obj").write_text(obj(at(0, 0, 9)))
    shutil.copy(source / "sim" / "scenes" / "spikes.json", folder / "my-scene.json")
    plugin(folder, compiler, source)
