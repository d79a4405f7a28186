"""Parts of the toolkit that graze.ipctk does not have."""


def missing(owner, name):
    """A method that says so when it is called."""
    def method(self, *_, **__):
        raise NotImplementedError(f"graze.ipctk has no {owner}.{name}: docs/python.md lists what there is")
    method.__name__ = name
    return method


def lacks(*names):
    """A class without these methods of the toolkit's."""
    def mark(cls):
        for name in names:
            setattr(cls, name, missing(cls.__name__, name))
        return cls
    return mark
