#!/usr/bin/env python3
# Longbox
# SPDX-License-Identifier: MIT
"""Checks a bill of materials against CycloneDX's schema, and that it lists Swift's and Debian's packages."""

import json
import sys
from pathlib import Path

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

text = Path(sys.argv[1]).read_text(encoding="utf-8")
if problem := JsonStrictValidator(SchemaVersion.V1_6).validate_str(text):
    sys.exit(f"{sys.argv[1]}: {problem}")
purls = [component["purl"] for component in json.loads(text)["components"]]
for kind in ("pkg:swift/", "pkg:deb/debian/libvips", "pkg:deb/debian/libpq5@", "pkg:generic/swift-runtime@"):
    if not any(purl.startswith(kind) for purl in purls):
        sys.exit(f"{sys.argv[1]} has no component {kind}...")
print(f"{sys.argv[1]}: {len(purls)} components")
