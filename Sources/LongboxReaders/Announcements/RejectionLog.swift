// Longbox
// SPDX-License-Identifier: MIT

public import Logging
public import LongboxPush
import Synchronization

/// Logs rejected push services, each once, since clients can submit them repeatedly.
public final class RejectionLog: Sendable {
  private let logger: Logger
  private let known = Mutex<Set<String>>([])
  private static let limit = 1000

  /// Makes an empty log.
  public init(logger: Logger) {
    self.logger = logger
  }

  /// Logs a rejection, unless the service was logged before.
  public func note(_ rejection: EndpointRejection, of service: String) {
    let service = String(service.prefix(100))
    let isNew = known.withLock { $0.count < Self.limit && $0.insert(service).inserted }
    guard isNew else { return }
    logger.warning(
      "A push service was rejected.",
      metadata: ["service": "\(service)", "reason": "\(rejection)"]
    )
  }
}
