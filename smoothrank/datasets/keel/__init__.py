"""KEEL `.dat` files: header, text, reader and writer."""
