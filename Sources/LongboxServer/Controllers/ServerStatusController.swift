// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxCore
import LongboxPages
import LongboxStore
import Synchronization

/// Shows the operator what the checks of the server find, at `/settings/server`: the facts of `longbox doctor`.
///
/// An operator is a signed-in reader, or a person at this machine; see ``RequestKind/isLocal(_:from:)``.
final class ServerStatusController: Controller {
  /// How long findings are shown, in seconds, since each check asks the sources.
  private static let lifetime: TimeInterval = 30

  private let examination: Examination
  private let store: Store
  private let pages: any ServerPageRendering
  private let current = Mutex<(start: Date, task: Task<Diagnosis, Never>)?>(nil)

  init(examination: Examination, store: Store, pages: any ServerPageRendering) {
    self.examination = examination
    self.store = store
    self.pages = pages
  }

  var endpoints: [Endpoint] {
    [.get("settings/server") { [self] in try await page($0, $1) }]
  }

  private func page(_ request: Hummingbird.Request, _ context: ServerContext) async throws
    -> Hummingbird.Response
  {
    guard context.isSignedIn || RequestKind.isLocal(request.head, from: context.client) else {
      throw HTTPError(
        .notFound,
        message: "This page opens only on the machine with Longbox, or on a device that has signed in."
      )
    }
    let offer = ServerStatusOffer(await diagnosis())
    return try await pages.show(.serverStatus(offer), to: request, as: LibraryCookie(of: request))
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
