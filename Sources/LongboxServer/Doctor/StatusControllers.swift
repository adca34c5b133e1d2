// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxCatalog
import LongboxCore
import LongboxPages
import LongboxPush
import LongboxReaders
import LongboxStore
import LongboxUpstream
import NIOCore
import Synchronization

/// Shows the operator what the checks of the server find, at `/settings/server`: the facts of `longbox doctor`.
///
/// Below them are the hooks, which a form there tests.
///
/// An operator is a signed-in reader, or a person at this machine; see ``RequestKind/isLocal(_:from:)``.
final class ServerStatusController: Controller {
  /// How long findings are shown, in seconds, since each check asks the sources.
  private static let lifetime: TimeInterval = 30

  private let examination: Examination
  private let store: Store
  private let hooks: HookSender?
  /// Makes a test message about the latest comic; nil if there is none.
  private let message: @Sendable () throws -> HookMessage?
  private let pages: ServerPageRenderer
  /// The result of the last test, which the page shows after the form; nil until a hook is tested.
  private let lastTest = Mutex<(hook: Int, sentence: String)?>(nil)
  private let current = Mutex<(start: Date, task: Task<Diagnosis, Never>)?>(nil)

  init(
    examination: Examination,
    store: Store,
    hooks: HookSender? = nil,
    message: @escaping @Sendable () throws -> HookMessage? = { nil },
    pages: ServerPageRenderer
  ) {
    self.examination = examination
    self.store = store
    self.hooks = hooks
    self.message = message
    self.pages = pages
  }

  var endpoints: [Endpoint] {
    [
      .get("settings/server") { [self] in
        try requireOperator($0, $1)
        return try await page($0)
      },
      .post("settings/server", bodyLimit: 4096) { [self] in
        try requireOperator($0, $1)
        return try await test($0, $1)
      },
    ]
  }

  private func requireOperator(_ request: Hummingbird.Request, _ context: ServerContext) throws {
    guard context.isSignedIn || RequestKind.isLocal(request.head, from: context.client) else {
      throw HTTPError(
        .notFound,
        message: "This page opens only on the machine with Longbox, or on a device that has signed in."
      )
    }
  }

  /// Sends a test to the hook that the form names by its number in the list, from 1.
  ///
  /// It redirects to the page with the result, so that loading that again doesn't send the test again.
  private func test(_ request: Hummingbird.Request, _ context: ServerContext) async throws
    -> Hummingbird.Response
  {
    let form = try await FormFields(of: request, context)
    guard let hooks, let number = form["hook"].flatMap({ Int($0.description) }),
      number > 0, number <= hooks.hooks.count
    else { throw HTTPError(.badRequest, message: "There is no hook with this number. Open the page again.") }
    guard let message = try message() else {
      throw HTTPError(.serviceUnavailable, message: "No comic is stored yet, so there is nothing to send.")
    }
    let result = await hooks.test(number - 1, with: message)
    lastTest.withLock { $0 = (number, result.sentence) }
    let page = Link.serverStatus.address + Text(string: "?tested=\(number)")
    return .seeOther(.local(page), fragment: "#hooks-title")
  }

  /// What came of the test that the address names; nil if it names none.
  private func tested(in request: Hummingbird.Request) -> String? {
    guard let hook = request.uri.queryParameters["tested"].flatMap({ Int($0) }) else { return nil }
    guard let test = lastTest.withLock({ $0 }), test.hook == hook else {
      // The server was restarted, or another node has sent the test.
      return "The result of this test is not known any more. Send the test again."
    }
    return "Test of hook \(hook): \(test.sentence)"
  }

  private func page(_ request: Hummingbird.Request) async throws -> Hummingbird.Response {
    var offer = ServerStatusOffer(await diagnosis())
    if let hooks {
      let deliveries = try await store.hooks.latest(of: hooks.hooks.map(\.id))
      offer.hooks = zip(hooks.hooks, deliveries).map { hook, delivery in
        ServerStatusOffer.Row(
          name: Text(string: hook.name),
          level: delivery?.state == .failed ? .problem : .ok,
          text: Text(string: Self.described(delivery))
        )
      }
    }
    offer.tested = tested(in: request).map { Text(string: $0) }
    return try await pages.show(.serverStatus(offer), to: request, as: LibraryCookie(of: request))
  }

  /// A hook's last delivery in words.
  private static func described(_ delivery: HookDelivery?) -> String {
    guard let delivery else { return "Comics that appear from now on are announced." }
    let (comic, date) = ("Comic \(delivery.comic.value)", delivery.changedAt.spelledInUTC)
    let reason = delivery.failure.map { ": \($0)" } ?? "."
    return switch delivery.state {
    case .delivered: "\(comic) was delivered on \(date)."
    case .skipped: "Comics after \(delivery.comic.value) are announced."
    case .failed: "\(comic) was not delivered\(reason)"
    case .due where delivery.attempts == 0: "\(comic) is about to be sent."
    case .due: "\(comic) is tried again\(reason)"
    }
  }

  /// What was found in the last half minute; all who ask at the same time wait for the same checks.
  private func diagnosis() async -> Diagnosis {
    let now = examination.now()
    let task = current.withLock { current in
      if let current, abs(now.timeIntervalSince(current.start)) < Self.lifetime { return current.task }
      let task = Task { [examination, store] in await examination.diagnosis(on: store) }
      current = (now, task)
      return task
    }
    return await task.value
  }
}

extension ServerStatusOffer {
  fileprivate init(_ diagnosis: Diagnosis) {
    self.init(checked: Text(string: diagnosis.date.spelledInUTC))
    rows = diagnosis.findings.map { finding in
      Row(
        name: Text(string: finding.subject.name),
        level: Level(finding.level),
        text: Text(string: finding.text),
        advice: finding.advice.map { Text(string: $0) }
      )
    }
  }
}

extension ServerStatusOffer.Level {
  fileprivate init(_ level: Finding.Level) {
    switch level {
    case .ok: self = .ok
    case .warning: self = .warning
    case .problem: self = .problem
    }
  }
}

/// Reports the program's state: `/healthz` for a supervisor, `/ready` for a load balancer.
///
/// `/ready` says whether the balancer should send readers here.
struct HealthController: Controller {
  let catalog: Catalog
  let cluster: Cluster?
  let version: String
  let gate: AccessGate
  let incidents: IncidentLog

  /// How long the database may be away before readers should go to another node.
  private static let longestSilence = Duration.seconds(5)

  private struct Health: Encodable {
    var status: String
    var version: String
    var comics: Int
    var latest: Int?
    var samples: Bool
    var sourceDownSince: Date?
    var albumsRefusedSince: Date?
    var albumsNextTry: Date?
    var textsStored: Int?
    var picturesStored: Int?
    var failures: Int?
    /// For this machine's user alone.
    var refusedHosts: RefusedHosts?
  }

  var endpoints: [Endpoint] {
    [
      .get("healthz") { request, _ in try await health(for: request) },
      .get("ready") { _, _ in readiness() },
    ]
  }

  private func readiness() -> Response {
    let isReady = cluster.map { $0.silence < Self.longestSilence } ?? true
    var fields: HTTPFields = [.contentType: "application/json", .cacheControl: "no-store"]
    if !isReady { fields[.retryAfter] = "5" }
    return Response(
      status: isReady ? .ok : .serviceUnavailable,
      headers: fields,
      body: ResponseBody(byteBuffer: ByteBuffer(string: #"{"ready":\#(isReady)}"#))
    )
  }

  private func health(for request: Request) async throws -> Response {
    let snapshot = catalog.snapshot
    let pause = await catalog.albums.storePause()
    let health = Health(
      status: "ok",
      version: version,
      comics: snapshot.archive.count,
      latest: snapshot.archive.latest?.number.value,
      samples: snapshot.archive.isSampleBox,
      sourceDownSince: snapshot.downSince,
      albumsRefusedSince: pause?.since,
      albumsNextTry: pause?.nextTry,
      textsStored: snapshot.progress?.texts,
      picturesStored: snapshot.progress?.pictures,
      failures: snapshot.progress?.failures,
      refusedHosts: gate.isByMachineUser(request.head) ? RefusedHosts(incidents.total(of: .foreignHost)) : nil
    )
    let encoder = JSONEncoder.stable
    encoder.dateEncodingStrategy = .iso8601
    return Response(
      status: .ok,
      headers: [.contentType: "application/json", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: [UInt8](try encoder.encode(health))))
    )
  }
}
