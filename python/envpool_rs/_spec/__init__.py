"""Specifications of environments: spaces, options and their values, files of other packages."""
