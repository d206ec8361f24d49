"""An example of every ready scorer, a table a room: what the catalogue is made of."""
