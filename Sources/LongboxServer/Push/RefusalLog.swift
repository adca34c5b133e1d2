// Longbox
// SPDX-License-Identifier: MIT

import Logging
import LongboxPush
import Synchronization

/// Tells of push services that may not be reached, each once: whoever names them can do so as often as they like.
final class RefusalLog: Sendable {
  private let logger: Logger
  private let known = Mutex<Set<String>>([])
  private static let limit = 1000

  init(logger: Logger) {
    self.logger = logger
  }

  /// Notes a refusal.
  /// - Parameters:
  ///   - refusal: why.
  ///   - service: the push service, as somebody has named it.
  func note(_ refusal: EndpointRefusal, of service: String) {
    let service = String(service.prefix(100))
    let isNew = known.withLock { $0.count < Self.limit && $0.insert(service).inserted }
    guard isNew else { return }
    logger.warning(
      "A push service was refused.",
      metadata: ["service": "\(service)", "reason": "\(refusal)"]
    )
  }
}
