// Longbox
// SPDX-License-Identifier: MIT

public import Logging
public import LongboxPush
import Synchronization

/// Logs push services that may not be reached, each once, since strangers can name them as often as they like.
public final class RefusalLog: Sendable {
  private let logger: Logger
  private let known = Mutex<Set<String>>([])
  private static let limit = 1000

  /// Makes a log with nothing in it.
  public init(logger: Logger) {
    self.logger = logger
  }

  /// Logs a refusal, unless the same service was logged before.
  /// - Parameters:
  ///   - refusal: why.
  ///   - service: the push service, as somebody has named it.
  public func note(_ refusal: EndpointRefusal, of service: String) {
    let service = String(service.prefix(100))
    let isNew = known.withLock { $0.count < Self.limit && $0.insert(service).inserted }
    guard isNew else { return }
    logger.warning(
      "A push service was refused.",
      metadata: ["service": "\(service)", "reason": "\(refusal)"]
    )
  }
}
