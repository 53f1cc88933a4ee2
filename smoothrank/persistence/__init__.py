"""Saved models: JSON and npz in a folder, with checksums and without pickle."""
