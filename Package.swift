// swift-tools-version: 6.2
// Longbox
// SPDX-License-Identifier: MIT

import PackageDescription

/// Settings of every Swift target of ours: the language mode is 6 by the tools version, warnings are errors.
let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// Settings of tests: `make test` builds them for release beside the programs.
let unoptimised: [SwiftSetting] = strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

/// Settings of what also compiles by Embedded Swift for wasm32.
let embeddable: [SwiftSetting] = strict + [.treatWarning("EmbeddedRestrictions", as: .error)]

let package = Package(
  name: "longbox",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "longbox", targets: ["longbox"]),
    .executable(name: "longbox-pictures", targets: ["longbox-pictures"]),
    .executable(name: "longbox-replay", targets: ["longbox-replay"]),
    .executable(name: "LongboxDevice", targets: ["LongboxDevice"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-asn1", exact: "1.7.4"),
    .package(url: "https://github.com/apple/swift-certificates", exact: "1.21.1"),
    .package(
      url: "https://github.com/apple/swift-configuration",
      exact: "1.4.0",
      traits: ["YAML"]
    ),
    .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
    .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
    .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
  ],
  targets: [
    .target(
      name: "LongboxCore",
      swiftSettings: embeddable,
      // Square roots, in search; in WebAssembly they are an instruction.
      linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]
    ),
    .target(name: "LongboxPages", dependencies: ["LongboxCore"], swiftSettings: embeddable),
    .systemLibrary(
      name: "CLibXML",
      path: "Sources/C/CLibXML",
      pkgConfig: "libxml-2.0",
      providers: [.apt(["libxml2-dev"])]
    ),
    .target(
      name: "LongboxUpstream",
      dependencies: [
        "CLibXML", "LongboxCore",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      swiftSettings: strict
    ),
    // The part of libpq that is used, loaded when a PostgreSQL database is configured.
    .target(
      name: "CPostgres",
      path: "Sources/C/CPostgres",
      linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]
    ),
    .systemLibrary(name: "CFiles", path: "Sources/C/CFiles"),
    .target(
      name: "LongboxStore",
      dependencies: [
        .target(name: "CFiles", condition: .when(platforms: [.linux])), "CPostgres", "LongboxCore",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: strict
    ),
    // The messages between the server and the program that decodes pictures.
    .target(name: "CPictureMessages", path: "Sources/C/CPictureMessages"),
    .systemLibrary(name: "CSpawn", path: "Sources/C/CSpawn"),
    .target(
      name: "LongboxCatalog",
      dependencies: [
        "CPictureMessages", .target(name: "CSpawn", condition: .when(platforms: [.linux])), "LongboxCore",
        "LongboxStore", "LongboxUpstream",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      resources: [.copy("SampleBox")],
      swiftSettings: strict
    ),
    .target(
      name: "LongboxPush",
      dependencies: [
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ],
      swiftSettings: strict
    ),
    .target(
      name: "LongboxReaders",
      dependencies: [
        "LongboxCatalog", "LongboxCore", "LongboxPush", "LongboxStore",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      swiftSettings: strict
    ),
    .systemLibrary(
      name: "CBrotli",
      path: "Sources/C/CBrotli",
      pkgConfig: "libbrotlienc",
      providers: [.apt(["libbrotli-dev"])]
    ),
    .systemLibrary(name: "CQrencode", path: "Sources/C/CQrencode", providers: [.apt(["libqrencode-dev"])]),
    .systemLibrary(
      name: "CZlib",
      path: "Sources/C/CZlib",
      pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"])]
    ),
    .target(
      name: "LongboxServer",
      dependencies: [
        "CBrotli", "CQrencode", "CZlib", "LongboxCatalog", "LongboxCore", "LongboxPages", "LongboxPush",
        "LongboxReaders", "LongboxStore", "LongboxUpstream", "LongboxWeb",
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
        .product(name: "X509", package: "swift-certificates"),
      ],
      swiftSettings: strict
    ),
    .target(
      name: "LongboxWeb",
      path: "Web",
      exclude: [
        ".oxlintrc.json", "Public", "deno.json", "deno.pages.json", "deno.worker.json", "src", "tests",
      ],
      resources: [.copy("dist")],
      swiftSettings: strict
    ),
    // What Swift's runtime asks for where there is no operating system.
    .target(name: "CDeviceRuntime", path: "Sources/C/CDeviceRuntime"),
    .executableTarget(
      name: "LongboxDevice",
      dependencies: ["CDeviceRuntime", "LongboxCore", "LongboxPages"],
      swiftSettings: embeddable
    ),
    .systemLibrary(name: "CMalloc", path: "Sources/C/CMalloc"),
    .executableTarget(
      name: "longbox",
      dependencies: [
        .target(name: "CMalloc", condition: .when(platforms: [.linux])),
        "LongboxCatalog", "LongboxCore", "LongboxPages", "LongboxPush", "LongboxReaders", "LongboxServer",
        "LongboxStore", "LongboxUpstream",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "Configuration", package: "swift-configuration"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ],
      swiftSettings: strict,
      linkerSettings: [
        // Some 160,000 relocations take 3 MB of memory unless they are packed, which only lld can do.
        .unsafeFlags(
          ["-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs"],
          .when(platforms: [.linux], configuration: .release)
        )
      ]
    ),
    .systemLibrary(
      name: "CChafa",
      path: "Sources/C/CChafa",
      pkgConfig: "chafa",
      providers: [.apt(["libchafa-dev"])]
    ),
    .systemLibrary(
      name: "CSeccomp",
      path: "Sources/C/CSeccomp",
      pkgConfig: "libseccomp",
      providers: [.apt(["libseccomp-dev"])]
    ),
    .systemLibrary(
      name: "CVips",
      path: "Sources/C/CVips",
      pkgConfig: "vips",
      providers: [.apt(["libvips-dev"])]
    ),
    // Decodes pictures. The server starts it, so that libvips is not in the server.
    .executableTarget(
      name: "longbox-pictures",
      dependencies: [
        "CChafa", "CPictureMessages", .target(name: "CSeccomp", condition: .when(platforms: [.linux])),
        "CVips",
      ]
    ),
    .executableTarget(
      name: "longbox-replay",
      dependencies: [
        "CZlib",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ],
      path: "Tests/Replay",
      swiftSettings: strict
    ),
    // Measures search in process; scripts/bench.sh builds it.
    .executableTarget(
      name: "search-bench",
      dependencies: [
        "LongboxCore",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      path: "bench/search/Sources",
      swiftSettings: strict
    ),
    // Work on inputs of growing size, whose instructions Tests/Growth counts.
    .systemLibrary(name: "CCallgrind", path: "Tests/Growth/CCallgrind"),
    .executableTarget(
      name: "count-work",
      dependencies: ["CCallgrind", "LongboxCore"],
      path: "Tests/Growth/Sources",
      swiftSettings: strict
    ),
    // Prints the texts made of recorded records and pages, which Tests/Texts/compare.py counts.
    .executableTarget(
      name: "show-texts",
      dependencies: ["LongboxCore"],
      path: "Tests/Texts/Sources",
      swiftSettings: strict
    ),
    .target(
      name: "TestSupport",
      dependencies: [
        .target(name: "CSpawn", condition: .when(platforms: [.linux])),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      path: "Tests/Support/Swift",
      swiftSettings: unoptimised
    ),
    .target(
      name: "CatalogTestSupport",
      dependencies: [
        "LongboxCatalog", "LongboxCore", "LongboxStore", "LongboxUpstream", "TestSupport",
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "Tests/CatalogSupport",
      swiftSettings: unoptimised
    ),
    .target(
      name: "PushTestSupport",
      dependencies: [
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ],
      path: "Tests/PushSupport",
      swiftSettings: unoptimised
    ),
    .testTarget(
      name: "LongboxCoreTests",
      dependencies: ["LongboxCore", "TestSupport"],
      swiftSettings: unoptimised
    ),
    .testTarget(
      name: "LongboxPagesTests",
      dependencies: ["LongboxCore", "LongboxPages", "TestSupport"],
      swiftSettings: unoptimised
    ),
    .testTarget(
      name: "LongboxDeviceTests",
      dependencies: ["LongboxCore", "LongboxDevice", "LongboxPages", "TestSupport"],
      swiftSettings: unoptimised
    ),
    .testTarget(
      name: "LongboxUpstreamTests",
      dependencies: [
        "LongboxCore", "LongboxUpstream", "TestSupport",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      swiftSettings: unoptimised
    ),
    .testTarget(
      name: "LongboxPushTests",
      dependencies: [
        "LongboxPush", "PushTestSupport",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ],
      swiftSettings: unoptimised
    ),
    .testTarget(
      name: "LongboxStoreTests",
      dependencies: [
        "LongboxCore", "LongboxStore", "TestSupport", .product(name: "GRDB", package: "GRDB.swift"),
      ],
      exclude: ["Stores"],
      swiftSettings: unoptimised
    ),
    .testTarget(
      name: "LongboxCatalogTests",
      dependencies: [
        "CPictureMessages", "CatalogTestSupport", "LongboxCatalog", "LongboxCore", "LongboxStore",
        "LongboxUpstream", "TestSupport",
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      swiftSettings: unoptimised
    ),
    .testTarget(
      name: "LongboxReadersTests",
      dependencies: [
        "CatalogTestSupport", "LongboxCatalog", "LongboxCore", "LongboxPush", "LongboxReaders",
        "LongboxStore",
        "PushTestSupport", "TestSupport",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      swiftSettings: unoptimised
    ),
    // The readers of untrusted bytes; the package in Fuzz compiles their folder Targets with libFuzzer.
    .testTarget(
      name: "LongboxFuzzTests",
      dependencies: [
        "LongboxCore", "LongboxDevice", "LongboxPages", "LongboxServer", "LongboxUpstream",
        "TestSupport",
      ],
      swiftSettings: unoptimised
    ),
    .testTarget(
      name: "LongboxReplayTests",
      dependencies: [
        "TestSupport", "longbox-replay",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdTesting", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      swiftSettings: unoptimised
    ),
    .testTarget(
      name: "LongboxCommandTests",
      dependencies: [
        "CatalogTestSupport", "LongboxCore", "TestSupport", "longbox",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ],
      swiftSettings: unoptimised
    ),
    .testTarget(
      name: "LongboxServerTests",
      dependencies: [
        "CatalogTestSupport", "LongboxCatalog", "LongboxCore", "LongboxPages", "LongboxPush",
        "LongboxReaders",
        "LongboxServer", "LongboxStore", "LongboxUpstream", "PushTestSupport", "TestSupport",
        "longbox-replay",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdTesting", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "X509", package: "swift-certificates"),
      ],
      swiftSettings: unoptimised
    ),
  ]
)
