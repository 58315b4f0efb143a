"""Specifications of environments: spaces, options and their values, and required files of other packages."""
