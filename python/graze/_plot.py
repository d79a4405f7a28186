"""Pictures of pairs and meshes, by matplotlib where that is there. Axes of the caller's need no more than plot, scatter and
quiver."""

EDGES = {"vf": [(1, 2), (2, 3), (3, 1)], "ee": [(0, 1), (2, 3)], "pe": [(1, 2)], "pp": []}
POINTS = {"vf": [0], "ee": [], "pe": [0], "pp": [0, 1]}


def axes(ax):
    """The caller's, or new ones of three dimensions."""
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as pyplot
    except ImportError:
        raise ImportError("graze: matplotlib is not here: pip install matplotlib, or Debian's python3-matplotlib, or "
                          "pass axes of your own") from None
    return pyplot.figure().add_subplot(projection="3d")


def draw_pair(ax, kind, x, **style):
    """The edges and points of a pair; rows as in a query."""
    for i, j in EDGES[kind]:
        ax.plot(*zip(x[i], x[j]), **style)
    for i in POINTS[kind]:
        ax.scatter(*x[i], **style)


def draw_edges(ax, x, edges, **style):
    for i, j in edges:
        ax.plot(*zip(x[i], x[j]), **style)


def draw_contact(ax, result):
    ax.scatter(*result.point, color="red")
    ax.quiver(*result.point, *result.normal, color="red")


def between(x0, x1, t):
    return (1 - t) * x0 + t * x1
