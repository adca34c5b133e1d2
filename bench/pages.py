# Longbox
# SPDX-License-Identifier: MIT
"""Pages and pictures under load, compared with nginx serving the same bytes as files.

Requests 64 comics with a picture in turn, so that no response repeats the previous one. Neither server compresses. Then
the same by HTTPS.
"""

import json
import re

import measure
import programs

SPREAD = 64


def with_pictures(recording):
    """The numbers of 64 comics with a recorded picture, spread over all comics."""
    numbers = sorted(int(number) for number in json.loads((recording / "xkcd" / "images.json").read_text()))
    step = max(1, len(numbers) // SPREAD)
    return numbers[::step][:SPREAD]


def save(site, path, place):
    """Saves the response of `site` at `path` as a file, for nginx to serve at the same path."""
    status, _, body = programs.get(site + path)
    assert status == 200, f"{path} answered {status}"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(body)
    return len(body)


def measure_pages(setting):
    root = setting.scratch / "www"
    pages, pictures, sizes = [], [], {"page": [], "picture": []}
    with setting.server() as server:
        for number in with_pictures(setting.recording):
            page = f"/{number}/"
            _, _, body = programs.get(server.address + page)
            picture = re.search(rf'src="(/comics/{number}/image[^"]*)"', body.decode())
            if not picture:
                continue
            path = picture.group(1).replace("&amp;", "&")
            sizes["page"].append(save(server.address, page, root / str(number) / "index.html"))
            sizes["picture"].append(save(server.address, path, root / path.split("?")[0].lstrip("/")))
            pages.append(page)
            pictures.append(path)
        with measure.Nginx(root, setting.scratch / "nginx") as nginx:
            nginx.wait(pages[0])
            yield from beside(nginx, server.address, "", {"page": (pages, 0.6), "picture": (pictures, 0.7)}, sizes, setting)
    # The same by HTTPS, with the same certificate, and without signing in, which would only add a hash to each request.
    certificate, key = setting.certificate()
    secure = {"LONGBOX_HOST": "0.0.0.0", "LONGBOX_OPEN": "true", "LONGBOX_TLS": "files"}
    files = {"LONGBOX_TLS_CERTIFICATE": certificate, "LONGBOX_TLS_KEY": key}
    with setting.server(**secure, **files) as server:
        address = server.address.replace("http://0.0.0.0", "https://127.0.0.1")
        with measure.Nginx(root, setting.scratch / "nginx-secure", certificate=(certificate, key)) as nginx:
            nginx.wait(pages[0])
            groups = {"page": (pages, 0.6), "picture": (pictures, 0.6)}
            yield from beside(nginx, address, " by HTTPS", groups, sizes, setting)


def beside(nginx, address, way, groups, sizes, setting):
    """The figures of Longbox at `address` beside nginx, for each group of paths with its goal."""
    for name, (paths, goal) in groups.items():
        file = setting.scratch / f"{name}s.txt"
        file.write_text("".join(f"{path}\n" for path in paths))
        ours, peer = measure.side_by_side(address, nginx.address, file, setting)
        size = sorted(sizes[name])[len(sizes[name]) // 2] / 1000
        yield measure.Figure(
            f"comic {name}{way}, {size:.1f} KB median, 64 connections",
            ours.per_second, peer.per_second, "nginx", "requests/s",
            f"at least {goal} of nginx", ours.per_second >= goal * peer.per_second,
        )  # fmt: skip
        yield measure.Figure(f"comic {name}{way}, p99", ours.p99_ms, peer.p99_ms, "nginx", "ms")
