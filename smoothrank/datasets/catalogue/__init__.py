"""The paper's 73 data sets: their catalogue, and how they are fetched."""
