"""The paper's experiment: parts, experiments, results, Figure 1."""
