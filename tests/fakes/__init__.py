"""Stand-ins for what lies outside: they speak HTTP on the loopback, and no code of ours is mocked."""
