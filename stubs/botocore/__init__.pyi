"""A fence around botocore: credentials, and signatures of version 4."""
