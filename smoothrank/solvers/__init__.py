"""Solvers: linear programs, the cutting-plane master problem, pricing, column generation."""
