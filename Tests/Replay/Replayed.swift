// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

/// The recorded sources, the faults and the log of one run, and the router over them.
struct Replayed: Sendable {
  /// How to serve pictures that aren't recorded.
  struct Pictures: Sendable {
    var missing = XkcdPicturesSource.Missing.placeholder
    var doubleSize = XkcdPicturesSource.DoubleSize.none
  }

  let recording: XkcdRecording
  let sources: SourceTable
  let plan = FaultPlan()
  let log: RequestLog
  private let now: @Sendable () -> Date
  private let clock: any Clock<Duration>

  /// Reads the folder; see ``Replay`` for its contents.
  init(
    folder: URL,
    latest: Int? = nil,
    pictures: Pictures = Pictures(),
    now: @escaping @Sendable () -> Date,
    clock: any Clock<Duration>
  ) throws(ReplayError) {
    recording = try XkcdRecording(folder: folder.appending(path: "xkcd"), latest: latest)
    self.now = now
    self.clock = clock
    log = RequestLog(now: now)
    // xkcd comes last: it claims every address that the others don't.
    sources = SourceTable(sources: [
      XkcdPicturesSource(
        recording: recording,
        missing: pictures.missing,
        doubleSize: pictures.doubleSize
      ),
      ExplainSource(folder: folder.appending(path: "explainxkcd"), comics: recording),
      ITunesSource(folder: folder.appending(path: "itunes")),
      ArtworkSource(),
      WikipediaSource(folder: folder.appending(path: "wikipedia")),
      XkcdSource(recording: recording),
    ])
  }

  /// The control address, and the sources behind the log and the faults.
  /// - Parameter refuse: closes the listening socket for a while; nil without a socket.
  func router(refuse: (@Sendable (Duration) async -> Void)? = nil) -> Router<ReplayRequestContext> {
    let router = Router(context: ReplayRequestContext.self, options: .autoGenerateHeadEndpoints)
    ReplayController(recording: recording, plan: plan, log: log, now: now, refuse: refuse).add(to: router)
    let replayed = router.group()
      .add(middleware: RequestLogger(log: log, sources: sources))
      .add(middleware: FaultInjector(plan: plan, sources: sources, log: log, clock: clock))
    replayed.get("/") { request, _ in sources.respond(to: request) }
    replayed.get("**") { request, _ in sources.respond(to: request) }
    return router
  }
}

/// The context of a request: its connection, which a fault may reset, and its log entry.
struct ReplayRequestContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel
  var ticket = 0

  init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    channel = source.channel
  }
}

/// A replayed site.
///
/// To add one, write a conforming type and list it in ``Replayed``.
protocol Source: Sendable {
  /// The name in faults and the log; the site is also served below `/name/`.
  var name: String { get }

  /// Whether the site serves an unprefixed path, as xkcd does `/353/info.0.json`.
  func claims(_ path: String) -> Bool

  /// The site's response, including its own 404.
  func respond(to request: SourceRequest) -> Response
}

/// A request as the site itself would receive it, without the site's prefix.
struct SourceRequest: Sendable {
  /// Starts with a slash, percent-encoded as sent: one of xkcd's pictures has a name that depends on it.
  let path: String
  let query: String?
  let headers: HTTPFields
}

/// The replayed sites, by path.
struct SourceTable: Sendable {
  let sources: [any Source]

  /// The site of a path, and the path inside it; nil if there is none.
  func find(_ path: String) -> (source: any Source, path: String)? {
    for source in sources {
      let prefix = "/\(source.name)"
      if path == prefix { return (source, "/") }
      if path.hasPrefix("\(prefix)/") { return (source, String(path.dropFirst(prefix.count))) }
    }
    return sources.first { $0.claims(path) }.map { ($0, path) }
  }

  /// The response of the requested site; 404 if there is none.
  func respond(to request: Request) -> Response {
    guard let found = find(request.uri.path) else {
      return .notFound
    }
    return found.source.respond(
      to: SourceRequest(path: found.path, query: request.uri.query, headers: request.headers)
    )
  }
}

/// What is read on first use, so that runs that don't need it start at once.
final class Lazy<Value: Sendable>: Sendable {
  private let made = Mutex<Value?>(nil)
  private let make: @Sendable () -> Value

  init(_ make: @escaping @Sendable () -> Value) { self.make = make }

  var value: Value {
    made.withLock { made in
      let value = made ?? make()
      made = value
      return value
    }
  }
}

/// A wrong folder or request; the message says what to send instead.
struct ReplayError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
