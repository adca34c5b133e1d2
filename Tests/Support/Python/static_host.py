# Longbox
# SPDX-License-Identifier: MIT
"""nginx as a static host: it serves a folder, sets no header of its own, and knows few types."""

import os
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urljoin

import programs
from proxies import free_port, listens
from waiting import until

NGINX = """
daemon off;
{user}
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
  types {{
    text/html html; text/css css; text/javascript js;
    image/svg+xml svg; image/png png; image/jpeg jpg; image/gif gif; image/webp webp;
  }}
  default_type application/octet-stream;
  access_log {folder}/access.log;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  server {{
    listen 127.0.0.1:{port};
    absolute_redirect off;
    error_page 404 {base}/404.html;
    location = / {{ return 404; }}
    location {base}/ {{ alias {site}/; }}
  }}
}}
"""


class Host:
    """A static host; `requests()` are those since the last call."""

    def __init__(self, address, log):
        self.address = address
        self._log = log
        self._seen = 0

    def requests(self):
        """The methods and paths of the requests since the last call."""
        # nginx writes a request's line after it has sent the response, and the line of this one after all others.
        path = f"/seen-{self._seen}"
        programs.get(urljoin(self.address, path))
        until(lambda: f"GET {path} " in self._log.read_text(encoding="utf-8"), "nginx has noted all requests")
        lines = self._log.read_text(encoding="utf-8").splitlines()
        new, self._seen = lines[self._seen :], len(lines)
        made = [line.split('"')[1].rsplit(" ", 1)[0] for line in new]
        return [request for request in made if request != f"GET {path}"]


@contextmanager
def serving(site, base="/comics-copy"):
    """Serves the folder `site` below the path `base`."""
    program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    assert program, "nginx is not installed; scripts/install-prerequisites.sh test installs it."
    port = free_port()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = folder / "configuration"
        # The worker reads files of ours.
        user = "user root;" if os.geteuid() == 0 else ""
        file.write_text(NGINX.format(folder=folder, user=user, port=port, base=base, site=site), encoding="utf-8")
        process = subprocess.Popen([program, "-e", f"{folder}/error.log", "-c", file])
        try:
            until(lambda: listens(port) or process.poll() is not None, "nginx listens")
            assert process.poll() is None, "nginx has ended"
            yield Host(f"http://127.0.0.1:{port}{base}", folder / "access.log")
        finally:
            programs.end(process)
