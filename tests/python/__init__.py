"""Makes this folder a package, so that pytest does not add it to `sys.path`: its folders have names of packages."""
