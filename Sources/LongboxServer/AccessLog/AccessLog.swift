// Longbox
// SPDX-License-Identifier: MIT

import LongboxCatalog
import LongboxReaders
import ServiceLifecycle
import Synchronization

/// Writes a line for each response, on a thread of its own.
///
/// Connections never wait for it: beyond ``mostWaiting`` bytes, lines are dropped, and the ``IncidentLog`` says how many.
final class AccessLog: Service {
  private struct Pending {
    var bytes: [UInt8] = []
    /// Whether a write is scheduled or in progress.
    var isWriting = false
  }

  /// The maximum number of bytes that wait for being written.
  static let mostWaiting = 1 << 20
  /// How long the server waits for the last lines when it stops.
  private static let stopTimeout = Duration.seconds(1)

  private let settings: AccessLogSettings
  private let incidents: IncidentLog
  private let thread = SerialThread(label: "access log")
  private let pending = Mutex(Pending())

  init(_ settings: AccessLogSettings, incidents: IncidentLog) {
    self.settings = settings
    self.incidents = incidents
  }

  func note(_ entry: AccessLogEntry) {
    let line = entry.line(settings)
    let (isKept, isFirst) = pending.withLock { pending in
      guard pending.bytes.count + line.count <= Self.mostWaiting else { return (false, false) }
      pending.bytes += line
      defer { pending.isWriting = true }
      return (true, !pending.isWriting)
    }
    if !isKept { incidents.note(.lostAccessLines, "too many wait") }
    if isFirst { thread.start { self.write() } }
  }

  /// Waits until the server stops, and then for the last lines.
  func run() async throws {
    try? await gracefulShutdown()
    _ = try? await withTimeout(Self.stopTimeout) { [thread] in await thread.run {} }
  }

  /// Writes what waits, until nothing does.
  private func write() {
    while true {
      let bytes = pending.withLock { pending in
        defer { pending.bytes = [] }
        pending.isWriting = !pending.bytes.isEmpty
        return pending.bytes
      }
      guard !bytes.isEmpty else { return }
      do {
        try settings.write(bytes)
      } catch {
        incidents.note(.lostAccessLines, "\(error)", count: bytes.count { $0 == UInt8(ascii: "\n") })
      }
    }
  }
}

/// How requests are logged.
public struct AccessLogSettings: Sendable {
  /// The form of a line.
  public enum Format: String, CaseIterable, Sendable {
    /// The combined format of Apache and nginx.
    case combined
    /// A JSON object.
    case json
  }

  /// The form of a line.
  public var format: Format
  /// Whether addresses of clients are complete; otherwise the network is logged, /24 or /48.
  public var hasFullAddresses: Bool
  /// Writes whole lines; it may block, and is called on a thread of its own.
  public var write: @Sendable ([UInt8]) throws -> Void

  public init(
    format: Format,
    hasFullAddresses: Bool = false,
    write: @escaping @Sendable ([UInt8]) throws -> Void
  ) {
    self.format = format
    self.hasFullAddresses = hasFullAddresses
    self.write = write
  }
}
