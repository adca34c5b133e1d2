// Longbox
// SPDX-License-Identifier: MIT

/// The connection on which a node receives notifications.
actor ListenerConnection {
  private let thread = ConnectionThread(name: "listener")
  private let settings: PostgresSettings
  private var session: PostgresSession?

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  init(_ settings: PostgresSettings) {
    self.settings = settings
  }

  deinit { thread.end() }

  /// Connects and begins to listen, unless it is listening.
  /// - Returns: true if it has just begun, so earlier notifications were missed.
  func listen(on channel: String) throws -> Bool {
    if let session, !session.isBroken { return false }
    session = nil
    session = try PostgresSession(settings, running: "LISTEN \(channel)")
    return true
  }

  /// Waits for a notification.
  /// - Returns: false if none arrived in time.
  func hasNotifications(within limit: Duration) throws -> Bool {
    try onSession { try $0.hasNotifications(within: limit) }
  }

  /// Checks that the server answers.
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
