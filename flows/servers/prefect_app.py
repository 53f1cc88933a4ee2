"""The process of the Prefect server: Prefect's own application, closed to other web pages.

`python -m flows.servers.prefect_app PORT HEADER TOKEN`; it answers with this header.
Settings come from the environment.
"""

from __future__ import annotations

import sys

from flows.servers.same_origin import SameOrigin
from flows.servers.server_process import HOST


def main() -> None:
    """Serve on loopback until stopped; a port that is taken ends it before anything is done."""
    import uvicorn
    from prefect.server.api.server import create_app

    port, header, token = int(sys.argv[1]), sys.argv[2], sys.argv[3]
    app = SameOrigin(create_app(final=True), port)
    config = uvicorn.Config(
        app, host=HOST, port=port, log_level="warning", headers=[(header, token)]
    )
    uvicorn.Server(config).run([config.bind_socket()])


if __name__ == "__main__":
    main()
