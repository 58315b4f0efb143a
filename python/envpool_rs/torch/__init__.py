"""Results of pools in pinned memory, copied to a GPU while the environments step. Importing this
module imports torch.
"""

from envpool_rs.torch.pinned import Pinned

__all__ = ["Pinned"]
