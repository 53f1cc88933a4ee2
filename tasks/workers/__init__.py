"""Worker processes, and the record of the fits they have finished."""
