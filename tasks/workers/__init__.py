"""Processes that work beside this one."""
