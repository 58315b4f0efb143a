"""The interfaces of native pools (EnvPool's three, gymnasium's vector environment), and what they are built of."""
