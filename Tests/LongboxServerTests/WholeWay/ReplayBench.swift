// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import LongboxCatalog
import LongboxCore
import LongboxStore
import LongboxUpstream
import ServiceLifecycle
import TestSupport

@testable import LongboxServer
@testable import longbox_replay

/// The whole system in one process: a replayed xkcd on a socket, clients with their request policies, store,
/// catalog and server.
struct ReplayBench: Sendable {
  let client: any TestClientProtocol
  let replayed: Replayed
  let listener: Listener
  let pause: PausedClock
  let catalog: Catalog
  let time: SettableTime

  func get(_ uri: String, _ headers: HTTPFields = [:]) async throws -> TestResponse {
    try await client.executeRequest(uri: uri, method: .get, headers: headers, body: nil)
  }
}

/// Runs a test with the whole system.
/// - Parameters:
///   - recording: a folder with `xkcd/comics.jsonl` and `xkcd/images/`.
///   - slow: a path of the replayed xkcd, and a short timeout of requests to it; others have a long one.
///   - attempts: how often each request is sent.
///   - timeout: how long a reader waits for a source.
///   - storeCalls: the maximum calls a minute to the store of albums.
///   - wikipedia: the path of Wikipedia's `api.php`.
///   - test: the test.
func withReplay(
  of recording: URL,
  slow: (path: String, timeLimit: Duration)? = nil,
  attempts: Int = 1,
  timeout: Duration = .seconds(600),
  storeCalls: Int = 1_000,
  wikipedia: String = "/wikipedia/api.php",
  _ test: @Sendable (ReplayBench) async throws -> Void
) async throws {
  let time = SettableTime()
  let pause = PausedClock()
  let replayed = try Replayed(
    folder: recording,
    pictures: .init(missing: .placeholder, doubleSize: .none),
    now: { time.now },
    clock: ContinuousClock()
  )
  let (ports, port) = AsyncStream.makeStream(of: Int.self)
  let listener = Listener(replayed, host: "127.0.0.1", port: 0, logger: .silent, clock: pause) { found, _ in
    port.yield(found)
  }
  let group = ServiceGroup(configuration: .init(services: [listener], logger: .silent))
  let connections = HTTPConnections()
  try await withThrowingTaskGroup(of: Void.self) { tasks in
    tasks.addTask { try await group.run() }
    let outcome: Result<Void, any Error>
    do {
      for await port in ports {
        let client = try client(port: port, over: connections, slow: slow, attempts: attempts)
        let explain = try explainClient(port: port, over: connections)
        let albums = try AlbumClients(
          port: port,
          over: connections,
          storeCalls: storeCalls,
          wikipedia: wikipedia
        )
        try await withServer(over: client, explain, albums, timeout, time) { client, catalog in
          try await test(
            ReplayBench(
              client: client,
              replayed: replayed,
              listener: listener,
              pause: pause,
              catalog: catalog,
              time: time
            )
          )
        }
        break
      }
      outcome = .success(())
    } catch {
      outcome = .failure(error)
    }
    try? await connections.close()
    pause.wake()
    await group.triggerGracefulShutdown()
    tasks.cancelAll()
    try outcome.get()
  }
}

private func client(
  port: Int,
  over connections: HTTPConnections,
  slow: (path: String, timeLimit: Duration)?,
  attempts: Int
) throws -> XkcdClient {
  let base = "http://127.0.0.1:\(port)"
  let addresses = try XkcdAddresses(site: base, images: base)
  let live = Transport.live(
    over: connections,
    allowing: addresses.origins,
    userAgent: try UserAgent(version: "test", contact: nil),
    logger: .silent
  )
  let transport = Transport { exchange throws(UpstreamError) in
    var exchange = exchange
    if let slow, exchange.address.target == slow.path { exchange.timeLimit = slow.timeLimit }
    return try await live.send(exchange)
  }
  var limits = XkcdClient.Limits()
  limits.recordTime = .seconds(120)
  limits.pictureTime = .seconds(120)
  limits.pictureBytes = 4 << 20
  return XkcdClient(
    source: SourceClient(
      .xkcd,
      over: transport,
      pace: Pace(interval: .microseconds(100), burst: 100),
      retry: RetryPolicy(
        attempts: attempts,
        firstPause: .milliseconds(1),
        longestPause: .milliseconds(5),
        longestRetryAfter: .zero
      )
    ),
    addresses: addresses,
    limits: limits
  )
}

private func explainClient(port: Int, over connections: HTTPConnections) throws -> ExplainClient {
  let address = try ExplainAddress(api: "http://127.0.0.1:\(port)/explain/api.php")
  let transport = Transport.live(
    over: connections,
    allowing: address.origins,
    userAgent: try UserAgent(version: "test", contact: nil),
    logger: .silent
  )
  return ExplainClient(
    source: SourceClient(
      .explain,
      over: transport,
      pace: Pace(interval: .microseconds(100), burst: 100),
      retry: RetryPolicy(
        attempts: 2,
        firstPause: .milliseconds(1),
        longestPause: .milliseconds(5),
        longestRetryAfter: .zero
      )
    ),
    address: address
  )
}

/// Clients for the replayed iTunes Store and Wikipedia.
private struct AlbumClients {
  let store: ITunesClient
  let wikipedia: WikipediaClient

  init(port: Int, over connections: HTTPConnections, storeCalls: Int, wikipedia path: String) throws {
    let base = "http://127.0.0.1:\(port)"
    var limits = ITunesClient.Limits()
    limits.timeLimit = .seconds(120)
    limits.artworkTimeLimit = .seconds(120)
    let addresses = try ITunesAddresses(site: "\(base)/itunes", artwork: "\(base)/artwork")
    let address = try WikipediaAddress(api: base + path)
    let userAgent = try UserAgent(version: "test", contact: "test@example.org")
    func live(_ origins: Set<WebAddress.Origin>) -> Transport {
      .live(over: connections, allowing: origins, userAgent: userAgent, logger: .silent)
    }
    store = ITunesClient(
      transport: live(addresses.origins),
      artwork: live(addresses.artworkOrigins),
      addresses: addresses,
      limiter: RequestLimiter(limit: storeCalls, span: .seconds(60), clock: ContinuousClock()),
      limits: limits
    )
    wikipedia = WikipediaClient(transport: live(address.origins), address: address)
  }
}

private func withServer(
  over client: XkcdClient,
  _ explain: ExplainClient,
  _ albums: AlbumClients,
  _ timeout: Duration,
  _ time: SettableTime,
  _ test: @Sendable (any TestClientProtocol, Catalog) async throws -> Void
) async throws {
  let folder = TemporaryFolder()
  let store = try Store.open(folder.url)
  let catalog = try await Catalog(
    store: store,
    client: client,
    explain: explain,
    itunes: albums.store,
    wikipedia: albums.wikipedia,
    inspector: CatalogBench.inspector,
    settings: .init(timeout: .seconds(600)),
    now: { time.now },
    logger: .silent
  )
  await catalog.prepare()
  var settings = ServerSettings(version: "test")
  settings.timeout = timeout
  settings.pictureWait = timeout
  let background = BackgroundServices(
    catalog: catalog,
    store: store,
    settings: settings,
    now: { time.now },
    logger: .silent
  )
  let dispatcher = ServerControllers(background, settings: settings).endpoints.dispatcher
  try await Application(router: dispatcher, logger: .silent).test(.router) { try await test($0, catalog) }
  try await store.closeOnNewThread()
  withExtendedLifetime(folder) {}
}
