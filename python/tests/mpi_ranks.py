"""Each rank brings a part of a mesh; rank 0 compares with one process. Run by test_mpi.py under mpirun."""

import sys

import numpy as np
from mpi4py import MPI

import graze
from graze import mpi


def mesh_of(n):
    """Two rough sheets that pass through each other."""
    random = np.random.default_rng(1)
    i, j = np.meshgrid(np.arange(n), np.arange(n), indexing="ij")
    low = np.stack([i, j, 0.3 * random.random((n, n))], axis=-1).reshape(-1, 3) / n
    x0 = np.concatenate([low, low + [0.2 / n, 0.3 / n, 2 / n]])
    x1 = x0 + np.repeat([[0, 0, 2 / n], [0, 0, -2 / n]], n * n, axis=0)
    corner = (i[:-1, :-1] * n + j[:-1, :-1]).reshape(-1)
    one = np.concatenate([np.stack([corner, corner + 1, corner + n], 1), np.stack([corner + 1, corner + n + 1, corner + n], 1)])
    return x0, x1, np.concatenate([one, one + n * n])


def take_turns(comm):
    """Rank 0 steps with each other rank in turn: all of it on one context, at other places each time."""
    x0, x1, faces = mesh_of(7)
    whole = graze.Mesh.from_faces(len(x0), faces)
    pairs = [comm.Split(0 if comm.rank in (0, r) else MPI.UNDEFINED) for r in range(1, comm.size)]
    for k in range(3 * len(pairs)):
        pair = pairs[k % len(pairs)]
        x0, x1 = x0[:, [1, 2, 0]] * [3, 1, 1], x1[:, [1, 2, 0]] * [3, 1, 1]
        if pair != MPI.COMM_NULL:
            mine, my_faces = np.arange(len(x0))[pair.rank::2], np.arange(len(faces))[pair.rank::2]
            found = mpi.step(pair, mine, x0[mine], x1[mine], faces=faces[my_faces], face_ids=my_faces, mode="all")
            one = graze.step(x0, x1, whole, mode="all")
            assert (found.toi, found.pair_total) == (one.toi, len(one.pairs)), k


def main():
    comm = MPI.COMM_WORLD
    x0, x1, faces = mesh_of(9)
    mine = np.arange(len(x0))[comm.rank::comm.size]
    my_faces = np.arange(len(faces))[comm.rank::comm.size]
    whole = graze.Mesh.from_faces(len(x0), faces)
    for mode in ("earliest", "all", "vertices"):
        found = mpi.step(comm, mine, x0[mine], x1[mine], faces=faces[my_faces], face_ids=my_faces, mode=mode)
        one = graze.step(x0, x1, whole, mode=mode)
        assert (found.verdict, found.toi, found.toi_upper) == (one.verdict, one.toi, one.toi_upper), mode
        assert (found.pair.kind, found.pair.a, found.pair.b) == (one.pair.kind, one.pair.a, one.pair.b), mode
        assert found.ranks == comm.size and found.hits == one.hits
        if mode == "all":
            listed = found.pairs["result"].tobytes()
            part = one.pairs["result"][found.pair_first:found.pair_first + len(found.pairs)]
            assert found.pair_total == len(one.pairs) > 0 and listed == part.tobytes()
        if mode == "vertices":
            assert found.vertex_toi.tobytes() == one.vertex_toi[mine].tobytes()
    both = np.union1d(mine, [0])  # a copy of vertex 0 that does not agree, on one rank
    x = x0[both].copy()
    x[both == 0] += (comm.rank == 1) * 1e-3
    try:
        mpi.step(comm, both, x, x1[both], faces=faces[my_faces], face_ids=my_faces)
    except graze.Error as error:
        assert "vertex 0" in str(error), error
    else:
        assert comm.size == 1
    take_turns(comm)
    if comm.rank == 0:
        print(f"{comm.size} ranks of {MPI.Get_library_version().split(',')[0].strip()} have the bits of one process")


if __name__ == "__main__":
    sys.exit(main())
