// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import LongboxCore
import LongboxReaders
import LongboxStore
import NIOCore
import Testing
import TestSupport

@testable import LongboxCatalog
@testable import LongboxServer

/// A client and the catalog behind its server.
struct ServerBench: Sendable {
  let client: any TestClientProtocol
  let back: CatalogBench
  let endpoints: EndpointTable

  var xkcd: FakeXkcd { back.xkcd }

  func send(_ method: HTTPRequest.Method, _ uri: String, _ headers: HTTPFields = [:]) async throws
    -> TestResponse
  {
    try await client.executeRequest(uri: uri, method: method, headers: headers, body: nil)
  }

  func get(_ uri: String, _ headers: HTTPFields = [:]) async throws -> TestResponse {
    try await send(.get, uri, headers)
  }
}

/// Runs a test with a server for a test xkcd, without a socket.
/// - Parameters:
///   - xkcd: the test xkcd.
///   - stored: the comics to store first, with text and picture.
///   - folder: the data folder.
///   - time: the clock.
///   - storage: how much readers may store.
///   - network: makes how the server can be reached, from its store; by default by loopback alone.
///   - proxies: the trusted proxies. Requests come from 127.0.0.1.
///   - remoteUser: the field in which these proxies name whom they have signed in.
///   - ancestors: the sites that may show comics in frames.
///   - namesOwnPictures: whether records name this server's pictures.
///   - render: renders pages.
///   - pictureWait: how long a page waits for a picture's size, and the clock that measures it.
///   - logger: where the server logs.
///   - test: the test.
func withServer(
  _ xkcd: FakeXkcd = FakeXkcd(latest: 6),
  storing stored: ClosedRange<Int>? = 1...6,
  in folder: TemporaryFolder = TemporaryFolder(),
  time: SettableTime = SettableTime(),
  storage: StorageLimits = .spacious,
  network: @Sendable (Store) async throws -> NetworkAccess = { _ in NetworkAccess() },
  trusting proxies: TrustedProxies = TrustedProxies(),
  remoteUser: RemoteUserField? = nil,
  framedBy ancestors: FrameAncestors = FrameAncestors(),
  namesOwnPictures: Bool = false,
  render: @escaping PageController.Render = PageController.standardRender,
  pictureWait: (limit: Duration, clock: any Clock<Duration>) = (.seconds(600), ContinuousClock()),
  logger: Logger = .silent,
  _ test: @Sendable (ServerBench) async throws -> Void
) async throws {
  try await withCatalog(xkcd, in: folder, time: time) { back in
    if let stored {
      await back.catalog.prepare()
      for number in stored.compactMap({ Comic.Number($0) }) {
        try? await back.catalog.ensure(number, withPicture: true)
      }
      _ = xkcd.takePaths()
    }
    let network = try await network(back.store)
    var settings = ServerSettings(version: "7.8.9")
    settings.namesOwnPictures = namesOwnPictures
    settings.frameAncestors = ancestors
    settings.limits.storage = storage
    (settings.pictureWait, settings.clock) = pictureWait
    let controllers = ServerControllers(
      of: back,
      settings: settings,
      network: network,
      render: render,
      logger: logger
    )
    let endpoints = controllers.endpoints
    let responder = ForwardingResponder(
      base: endpoints.dispatcher.buildResponder(),
      forwarding: Forwarding(proxies, isLoopback: network.gate.mode == .loopback, user: remoteUser)
    )
    try await Application(responder: responder, logger: .silent).test(.router) { client in
      try await test(ServerBench(client: client, back: back, endpoints: endpoints))
    }
  }
}

extension ServerControllers {
  /// The controllers of a server on a bench's catalog and store.
  init(
    of bench: CatalogBench,
    settings: ServerSettings = ServerSettings(),
    network: NetworkAccess = NetworkAccess(),
    render: @escaping PageController.Render = PageController.standardRender,
    logger: Logger = .silent
  ) {
    let background = BackgroundServices(
      catalog: bench.catalog,
      store: bench.store,
      settings: settings,
      now: { [time = bench.time] in time.now },
      logger: logger
    )
    self.init(background, settings: settings, network: network, render: render)
  }
}

/// Does what ``RequestGate`` does with proxies’ fields on a socket.
private struct ForwardingResponder<Base: HTTPResponder>: HTTPResponder {
  let base: Base
  let forwarding: Forwarding

  func respond(to request: Request, context: Base.Context) async throws -> Response {
    var head = request.head
    _ = forwarding.apply(to: &head, from: IPAddress([127, 0, 0, 1]))
    return try await base.respond(to: Request(head: head, body: request.body), context: context)
  }
}

extension TestResponse {
  var text: String { String(buffer: body) }

  var bytes: [UInt8] { Array(body.readableBytesView) }
}

extension HTTPField.Name {
  static func named(_ name: String) -> HTTPField.Name {
    guard let name = HTTPField.Name(name) else { preconditionFailure("\(name) is no name of a header field") }
    return name
  }
}

extension StorageLimits {
  /// Limits that let a test fill a library on its first day.
  static var spacious: StorageLimits {
    var limits = StorageLimits()
    limits.libraries.newLibrary = .max
    limits.newBytesPerAddress = .max
    return limits
  }
}

/// Decompresses a body with the command-line tool for its coding.
func decompressed(_ bytes: [UInt8], _ coding: ContentCoding) async throws -> [UInt8] {
  let tool = coding == .brotli ? "brotli" : "gzip"
  let end = try await Program.run(tool, "--decompress", "--stdout", input: bytes)
  #expect(end.code == 0, "\(coding)")
  return end.bytes
}

extension Catalog {
  /// Looks for a new comic and discards the stand-in, like the refresh service; ignores errors.
  func lookForNewest() async {
    try? await refresher.checkNewest()
    await discardStandIn()
  }
}
