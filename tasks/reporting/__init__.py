"""Reports as HTML pages, CSV and Markdown."""
