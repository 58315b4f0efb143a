"""Where EnvPool registers its tasks; here they are registered already."""
