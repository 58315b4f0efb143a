"""What an environment is made of: spaces, options and their values, cartridges."""
