"""A fence around safetensors."""
