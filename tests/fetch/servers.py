"""Servers of the tests on loopback: real implementations in processes of their own, small ones in threads."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import requests
from flask import Flask, send_file
from werkzeug.serving import make_server

KOOP = {"@koopjs/koop-core": "10.4.19", "@koopjs/provider-file-geojson": "2.2.0"}
KOOP_SERVER = """
const Koop = require('@koopjs/koop-core');
const provider = require('@koopjs/provider-file-geojson');
const koop = new Koop({ logLevel: 'error' });
koop.register(provider, { dataDir: process.argv[2] });
const server = koop.server.listen(0, '127.0.0.1',
  () => console.log('PORT ' + server.address().port));
"""
PYGEOAPI_SERVER = """
import sys
from werkzeug.serving import make_server
from pygeoapi.flask_app import APP
make_server("127.0.0.1", int(sys.argv[1]), APP, threaded=True).serve_forever()
"""
PYGEOAPI_CONFIG = """
server:
  bind: {{host: 127.0.0.1, port: {port}}}
  url: http://127.0.0.1:{port}
  mimetype: application/json; charset=UTF-8
  encoding: utf-8
  languages: [en-US]
  limits: {{default_items: 50, max_items: 400}}
  map: {{url: "http://127.0.0.1/none", attribution: none}}
logging: {{level: CRITICAL}}
metadata:
  identification:
    title: {{en: test}}
    description: {{en: test}}
    keywords: {{en: [test]}}
    url: http://127.0.0.1
  license: {{name: CC0, url: http://127.0.0.1}}
  provider: {{name: test, url: http://127.0.0.1}}
  contact: {{name: test, email: test@example.org, url: http://127.0.0.1}}
resources:
  lots:
    type: collection
    title: {{en: Lots}}
    description: {{en: Lots}}
    keywords: {{en: [lots]}}
    links: []
    extents:
      spatial:
        bbox: [-180, -90, 180, 90]
        crs: http://www.opengis.net/def/crs/OGC/1.3/CRS84
    providers:
      - {{type: feature, name: GeoJSON, data: "{data}", id_field: PIN}}
"""

MAPFILE = """
MAP
  NAME "test"
  EXTENT -180 -90 180 90
  SIZE 100 100
  PROJECTION "init=epsg:4326" END
  OUTPUTFORMAT
    NAME "geojson"
    DRIVER "OGR/GEOJSON"
    MIMETYPE "application/json"
    FORMATOPTION "STORAGE=stream"
    FORMATOPTION "FORM=SIMPLE"
  END
  WEB METADATA
    "ows_title" "test"
    "ows_onlineresource" "http://127.0.0.1/wfs"
    "ows_srs" "EPSG:4326"
    "ows_enable_request" "*"
    "wfs_getfeature_formatlist" "geojson"
    "wfs_maxfeatures" "400"
  END END
  LAYER
    NAME "lots"
    TYPE POLYGON
    STATUS ON
    CONNECTIONTYPE OGR
    CONNECTION "%s"
    DATA "lots"
    PROJECTION "init=epsg:4326" END
    METADATA
      "ows_title" "Lots"
      "gml_include_items" "all"
      "gml_featureid" "PIN"
    END
  END
END
"""


def koop_home() -> Path:
    """A folder outside the project with Koop installed; skips when there is no Node.js."""
    if not (shutil.which("node") and shutil.which("npm")):
        pytest.skip("Node.js and npm are not there, so no FeatureServer can be started")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    home = cache / "site-eval-tests" / "koop"
    done = home / "installed"
    wanted = " ".join(f"{name}@{version}" for name, version in KOOP.items())
    if not (done.is_file() and done.read_text() == wanted):
        home.mkdir(parents=True, exist_ok=True)
        subprocess.run(
            ["npm", "install", "--prefix", home, "--legacy-peer-deps", "--omit=optional",
             "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", *wanted.split()],
            check=True, timeout=300, cwd=home,
        )  # fmt: skip
        done.write_text(wanted)
    (home / "server.js").write_text(KOOP_SERVER)
    return home


@contextmanager
def koop(data: Path) -> Iterator[str]:
    """The address below which Koop serves each GeoJSON file of the folder *data*."""
    home = koop_home()
    # Koop joins the folder to its own working directory.
    command = ["node", home / "server.js", os.path.relpath(data, home)]
    environment = {**os.environ, "SUPPRESS_NO_CONFIG_WARNING": "1"}
    with subprocess.Popen(
        command, cwd=home, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env=environment,
    ) as process:  # fmt: skip
        try:
            assert process.stdout is not None
            said = list(_until(process.stdout, "PORT "))
            port = said[-1].split()[1]
            yield f"http://127.0.0.1:{port}/file-geojson/rest/services"
        finally:
            process.kill()


def _until(lines: Any, start: str) -> Iterator[str]:
    for line in lines:
        yield line
        if line.startswith(start):
            return
    raise AssertionError("the server did not start")


@contextmanager
def pygeoapi(folder: Path, data: Path) -> Iterator[str]:
    """The address of a pygeoapi collection of *data*, which gives at most 400 items a page."""
    port = free_port()
    config, openapi = folder / "pygeoapi.yml", folder / "openapi.yml"
    config.write_text(PYGEOAPI_CONFIG.format(port=port, data=data))
    environment = {**os.environ, "PYGEOAPI_CONFIG": str(config), "PYGEOAPI_OPENAPI": str(openapi)}
    openapi.write_text("openapi: 3.0.2\ninfo: {title: test, version: '1'}\npaths: {}\n")
    with subprocess.Popen(
        [sys.executable, "-c", PYGEOAPI_SERVER, str(port)], env=environment,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        try:
            address = f"http://127.0.0.1:{port}/collections/lots"
            _wait_for(address, process)
            yield address
        finally:
            process.kill()


@contextmanager
def mapserver(folder: Path, data: Path) -> Iterator[str]:
    """The address of a WFS by MapServer over *data*, at most 400 features a page."""
    program = shutil.which("mapserv") or shutil.which("mapserv", path="/usr/lib/cgi-bin")
    if program is None:
        pytest.skip("MapServer is not there (Debian package cgi-mapserver), so no WFS can be run")
    (folder / "lots.map").write_text(MAPFILE % data)
    (folder / "mapserver.conf").write_text(f'CONFIG MAPS LOTS "{folder}/lots.map" END END\n')
    app = Flask("mapserver")

    @app.get("/wfs")
    def wfs():
        from flask import Response, request

        query = f"map=LOTS&{request.query_string.decode()}"
        done = subprocess.run(
            [program], capture_output=True, check=True,
            env={"MAPSERVER_CONFIG_FILE": str(folder / "mapserver.conf"),
                 "REQUEST_METHOD": "GET", "QUERY_STRING": query},
        )  # fmt: skip
        head, _, body = done.stdout.partition(b"\r\n\r\n")
        headers = dict(line.split(": ", 1) for line in head.decode().splitlines())
        status = int(headers.pop("Status", "200").split()[0])
        return Response(body, status, headers)

    with serving(app) as address:
        yield f"{address}/wfs"


def _wait_for(address: str, process: subprocess.Popen[Any]) -> None:
    for _ in range(300):
        assert process.poll() is None, "the server ended"
        try:
            if requests.get(address, timeout=5).ok:
                return
        except requests.ConnectionError:
            time.sleep(0.1)
    raise AssertionError("the server did not answer")


def free_port() -> int:
    """A port that nobody listens on."""
    import socket

    with socket.socket() as opened:
        opened.bind(("127.0.0.1", 0))
        return int(opened.getsockname()[1])


@contextmanager
def serving(app: Flask) -> Iterator[str]:
    """A Flask application on a thread; its address."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.port}"
    finally:
        server.shutdown()
        thread.join()


def static_app(folder: Path, ranges: list[str], *, busy: int = 0, plain: bool = False) -> Flask:
    """Files of *folder*, with ranges, entity tags and dates; the ranges asked for go to *ranges*.

    Each question up to the number *busy* is answered by 503 first; *plain* servers know neither
    ranges nor HEAD.
    """
    from flask import request

    app = Flask("static")

    @app.route("/<path:name>", methods=["GET", "HEAD"])
    def file(name: str):
        if plain and request.method == "HEAD":
            return "not allowed", 405
        if request.method == "GET":
            ranges.append(request.headers.get("Range", ""))
            if len(ranges) <= busy * 2 and len(ranges) % 2:
                return "busy", 503
        if not (folder / name).is_file():
            return "no such file", 404
        return send_file(folder / name, conditional=not plain, etag=True)

    return app
