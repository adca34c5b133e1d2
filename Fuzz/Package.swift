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
      sources: [
        "ITunes/ITunesAddresses.swift", "ITunes/ITunesReply.swift", "ITunes/ITunesQuestion.swift",
        "ITunes/ITunesRow.swift",
        "MediaWiki/ExplainPage.swift", "MediaWiki/WikiReply.swift", "MediaWiki/WikiPages.swift",
        "MediaWiki/WikipediaReply.swift", "RequestPolicies/Pace.swift", "SettingError.swift", "Source.swift",
        "Transport/JSONObjectFault.swift", "Transport/WebAddress.swift",
        "Transport/WebAddress+Query.swift", "Transport/WebAddress+Setting.swift", "Xkcd/NewsHTML.swift",
        "Xkcd/NewsLines.swift",
        "Xkcd/RecordFault.swift", "Xkcd/XkcdRecord.swift", "Xkcd/XkcdRecord+Fields.swift",
      ],
      swiftSettings: strict
    ),
    .target(
      name: "LongboxServer",
      dependencies: ["LongboxCore", "LongboxPages"],
      sources: ["Import"],
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
