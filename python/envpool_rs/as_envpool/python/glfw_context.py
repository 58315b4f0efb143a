"""EnvPool's preparation of OpenGL, which rendering by this package does not need."""

__all__ = ["preload_windows_gl_dlls"]


def preload_windows_gl_dlls(*args: object, **kwargs: object) -> None:
    """Does nothing: EnvPool loads libraries of OpenGL on Windows here.

    Args:
        args: EnvPool's arguments, which are ignored.
        kwargs: EnvPool's arguments by name, which are ignored.
    """
