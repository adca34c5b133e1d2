// Longbox
// SPDX-License-Identifier: MIT

/// The connection on which a node hears the others.
actor ListenerConnection {
  private let thread = ConnectionThread(name: "listener")
  private let settings: PostgresSettings
  private var session: PostgresSession?

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  init(_ settings: PostgresSettings) {
    self.settings = settings
  }

  deinit { thread.end() }

  /// Connects and begins to listen, unless it does.
  /// - Returns: whether it has begun now, so that whatever was said before was missed.
  func listen(on channel: String) throws -> Bool {
    if let session, !session.isBroken { return false }
    session = nil
    let fresh = try PostgresSession(settings.address, within: settings.connectLimit)
    fresh.deadline = .now + settings.connectLimit
    try fresh.run("LISTEN \(channel)")
    session = fresh
    return true
  }

  /// Waits for notifications.
  /// - Returns: whether there was one.
  func hears(within limit: Duration) throws -> Bool {
    try onSession { try $0.hasNotifications(within: limit) }
  }

  /// Asks the server whether it is there.
  func beat(within limit: Duration) throws {
    try onSession { session in
      session.deadline = .now + limit
      try session.execute("SELECT 1")
    }
  }

  func close() { session = nil }

  private func onSession<Outcome>(_ body: (PostgresSession) throws -> Outcome) throws -> Outcome {
    guard let session else { throw PostgresError(.closed, "the listener was closed") }
    do {
      return try body(session)
    } catch {
      self.session = nil
      throw error
    }
  }
}
