#!/usr/bin/env python3
# Longbox
# SPDX-License-Identifier: MIT
"""Writes a software bill of materials (CycloneDX 1.6, JSON) of the given programs to standard output.

make-sbom.py PROGRAM...

It lists the Swift packages of Package.resolved and Swift's runtime, which are linked into the programs, and the Debian packages
of the libraries that the programs load, with everything that those need. What is loaded only for PostgreSQL has the scope
"optional". The same sources and libraries give the same bytes; the date is that of SOURCE_DATE_EPOCH.
"""

import json
import os
import re
import subprocess
import sys
import uuid
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# What the programs open by dlopen, if a setting asks for it.
OPTIONAL = {"libpq5"}
LICENCES = [
    ("Apache-2.0 WITH Swift-exception", "Runtime Library Exception"),
    ("Apache-2.0", "Apache License"),
    ("MIT", "Permission is hereby granted, free of charge"),
]


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout


def licence_of(pin):
    """The SPDX expression of a Swift package's licence, as its checkout has it; None without one."""
    folder = ROOT / ".build/checkouts" / Path(pin["location"]).name.removesuffix(".git")
    for file in sorted(folder.glob("LICENSE*")):
        text = file.read_text(encoding="utf-8")
        return next((name for name, mark in LICENCES if mark in text), None)
    return None


def component(purl, name, version, **further):
    return {"type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl, **further}


def expression(licence):
    return {"licenses": [{"expression": licence}]} if licence else {}


def swift_packages():
    pins = json.loads((ROOT / "Package.resolved").read_text(encoding="utf-8"))["pins"]
    for pin in sorted(pins, key=lambda pin: pin["identity"]):
        location = pin["location"].removesuffix(".git")
        version = pin["state"].get("version") or pin["state"]["revision"]
        yield component(
            f"pkg:swift/{location.removeprefix('https://')}@{version}",
            pin["identity"],
            version,
            externalReferences=[{"type": "vcs", "url": location}],
            properties=[{"name": "git:revision", "value": pin["state"]["revision"]}],
            **expression(licence_of(pin)),
        )
    version = re.search(r"Swift version (\S+)", output("swift", "--version")).group(1)
    purl = f"pkg:generic/swift-runtime@{version}"
    yield component(
        purl,
        "swift-runtime",
        version,
        description="Swift's standard library, Foundation and ICU, linked statically",
        externalReferences=[{"type": "website", "url": "https://www.swift.org"}],
        **expression("Apache-2.0 WITH Swift-exception"),
    )


@cache
def installed():
    """The installed Debian packages, by name: version, architecture, source, and the names that each depends on."""
    fields = "${Package}\t${Version}\t${Architecture}\t${source:Package}\t${Pre-Depends}, ${Depends}\t${db:Status-Status}\n"
    packages = {}
    for line in output("dpkg-query", "--show", "--showformat", fields).splitlines():
        name, version, architecture, source, needs, status = line.split("\t")
        if status == "installed":
            names = [re.match(r"[^\s(:|]*", need.strip()).group() for need in re.split(r"[,|]", needs)]
            packages[name] = (version, architecture, source, [need for need in names if need])
    return packages


def libraries(programs):
    """The Debian packages whose libraries the programs name."""
    names = set()
    for program in programs:
        wanted = re.findall(r"\(NEEDED\).*\[(.+)\]", output("readelf", "--dynamic", str(Path(program).resolve())))
        for file in wanted:
            owners = subprocess.run(["dpkg-query", "--search", f"*/{file}"], capture_output=True, text=True).stdout
            names |= {line.split(":")[0] for line in owners.splitlines() if line.split(": ")[1].startswith(("/lib", "/usr/lib"))}
    return {name for name in names if name in installed()}


def closure(names):
    found, waiting = set(), list(names)
    while waiting:
        name = waiting.pop()
        if name in installed() and name not in found:
            found.add(name)
            waiting += installed()[name][3]
    return sorted(found)


def debian_packages(programs):
    """The components of Debian's packages, and what each depends on."""
    release = dict(re.findall(r'^(ID|VERSION_ID)="?([^"\n]*)', Path("/etc/os-release").read_text(), re.MULTILINE))
    distribution = f"{release['ID']}-{release.get('VERSION_ID', 'testing')}"
    direct = libraries(programs)
    required = closure(direct)
    names = closure(direct | OPTIONAL)

    def purl(name):
        version, architecture = installed()[name][:2]
        return f"pkg:deb/debian/{name}@{version.replace('+', '%2B')}?arch={architecture}&distro={distribution}"

    components = [
        component(
            purl(name),
            name,
            installed()[name][0],
            scope="required" if name in required else "optional",
            properties=[{"name": "debian:source", "value": installed()[name][2]}],
        )
        for name in names
    ]
    needs = {purl(name): sorted({purl(need) for need in installed()[name][3] if need in names}) for name in names}
    return components, needs, sorted(purl(name) for name in names if name in direct | OPTIONAL)


def main(*programs):
    version = output("scripts/version.sh").strip()
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH") or output("git", "log", "-1", "--format=%ct"))
    swift = list(swift_packages())
    debian, needs, direct = debian_packages(programs)
    longbox = f"pkg:generic/longbox@{version}"
    dependencies = {longbox: [one["bom-ref"] for one in swift] + direct, **needs}
    content = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {
                "type": "application",
                "bom-ref": longbox,
                "name": "longbox",
                "version": version,
                "purl": longbox,
                **expression("MIT"),
            },
        },
        "components": swift + debian,
        "dependencies": [{"ref": ref, "dependsOn": on} for ref, on in dependencies.items()],
    }
    serial = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(content, sort_keys=True))
    print(json.dumps({"serialNumber": f"urn:uuid:{serial}", **content}, indent=2))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(*sys.argv[1:])
