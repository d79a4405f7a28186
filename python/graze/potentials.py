"""Potentials of contact at one state, and their derivatives."""

import ctypes
from dataclasses import dataclass
from typing import NamedTuple, Optional

import numpy as np

from . import _c
from ._arrays import copied
from ._c import library
from ._context import context
from .mesh import Mesh
from .steps import _positions, proximity

CONTACT = np.dtype(_c.PotentialContact)
BARRIERS = ("log", "quadratic")


class Csr(NamedTuple):
    """A square matrix by compressed rows; its parts are the arguments of scipy.sparse.csr_matrix, in order."""

    data: np.ndarray
    indices: np.ndarray
    indptr: np.ndarray


@dataclass(frozen=True, eq=False)
class Potential:
    """Result of a barrier: value, gradient (vertex_count, 3), Hessian (None unless requested), and the contacts, a
    structured array with the fields of graze_contact."""

    value: float
    gradient: np.ndarray
    hessian: Optional[Csr]
    contacts: np.ndarray


def _contacts(here, near, x, rest):
    made = _c.default(_c.ContactList, library.graze_init_contact_list)
    try:
        here.call(library.graze_contacts_make, near.ctypes.data, len(near), None if rest is None else rest.ctypes.data,
                  x.ctypes.data, len(x), 0, made)
        return copied(CONTACT, made.contacts, made.count)
    finally:
        library.graze_contacts_release(here.handle, made)


def _options(distance, stiffness, barrier):
    if barrier not in BARRIERS:
        raise ValueError(f"there is no barrier {barrier!r}: {' and '.join(BARRIERS)} are known")
    options = _c.default(_c.PotentialOptions, library.graze_init_potential_options)
    options.distance, options.stiffness, options.barrier = distance, stiffness, BARRIERS.index(barrier)
    return options


def _matrix(csr):
    return Csr(copied(np.dtype(np.float64), csr.values, csr.count), copied(np.dtype(np.uint32), csr.columns, csr.count),
               copied(np.dtype(np.uintp), csr.row_start, csr.rows + 1))


def potential(x, mesh: Mesh, distance: float, rest=None, stiffness: float = 1.0, barrier: str = "log",
              hessian: bool = True, projected: bool = True) -> Potential:
    """Computes the barrier of all pairs within `distance` at x. `rest` positions make it smooth where edges become parallel.

    Barriers: "log", "quadratic". The Hessian sums projected ones, unless `projected` is False.

    >>> import numpy as np, graze
    >>> x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [.25, .25, .5]])
    >>> mesh = graze.Mesh.from_parts(4, faces=[[0, 1, 2]])
    >>> found = graze.potential(x, mesh, 1.0, barrier="quadratic")
    >>> found.value, found.gradient[3].tolist(), len(found.hessian.data)
    (0.5625, [0.0, 0.0, -1.5], 144)
    """
    x = _positions("x", x, mesh)
    rest = None if rest is None else _positions("rest", rest, mesh)
    options, here = _options(distance, stiffness, barrier), context()
    contacts = _contacts(here, proximity(x, mesh, distance), x, rest)
    gradient = np.empty_like(x)
    sums = _c.default(_c.PotentialSums, library.graze_init_potential_sums)
    csr = _c.default(_c.Csr, library.graze_init_csr)
    sums.gradient, sums.projected = gradient.ctypes.data, bool(projected)
    try:
        if hessian:
            here.call(library.graze_csr_make, contacts.ctypes.data, len(contacts), len(x), csr)
            sums.hessian = ctypes.pointer(csr)
        here.call(library.graze_contact_sums, contacts.ctypes.data, len(contacts), x.ctypes.data, len(x), options, sums)
        return Potential(sums.value, gradient, _matrix(csr) if hessian else None, contacts)
    finally:
        library.graze_csr_release(here.handle, csr)
