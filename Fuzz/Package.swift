// swift-tools-version: 6.2
// Longbox
// SPDX-License-Identifier: MIT

import PackageDescription

// Compiles the readers of untrusted bytes with libFuzzer: the same files, by links, and nothing that needs another
// package. `scripts/fuzz.sh` builds and runs it.

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "longbox-fuzz",
  targets: [
    .target(
      name: "LongboxCore",
      swiftSettings: strict,
      linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]
    ),
    .target(name: "LongboxPages", dependencies: ["LongboxCore"], swiftSettings: strict),
    .target(
      name: "LongboxDevice",
      dependencies: ["LongboxCore", "LongboxPages"],
      exclude: ["Main.swift"],
      swiftSettings: strict
    ),
    .systemLibrary(name: "CLibXML", pkgConfig: "libxml-2.0"),
    .target(
      name: "LongboxUpstream",
      dependencies: ["CLibXML", "LongboxCore"],
      // What needs other packages.
      exclude: ["Network/ExchangeSender.swift"],
      swiftSettings: strict
    ),
    .target(
      name: "LongboxServer",
      dependencies: ["LongboxCore", "LongboxPages"],
      sources: ["Libraries/MultipartForm+Boundary.swift"],
      swiftSettings: strict
    ),
    .target(
      name: "FuzzTargets",
      dependencies: [
        "LongboxCore", "LongboxDevice", "LongboxPages", "LongboxServer", "LongboxUpstream",
      ],
      swiftSettings: strict
    ),
    .executableTarget(name: "fuzz", dependencies: ["FuzzTargets"], swiftSettings: strict),
  ]
)
