// Longbox
// SPDX-License-Identifier: MIT

import Foundation
public import Logging
public import ServiceLifecycle

/// Removes abandoned libraries, once a day.
public struct LibraryExpiry: Service {
  private let libraries: Libraries
  private let logger: Logger

  /// Makes the service.
  public init(libraries: Libraries, logger: Logger) {
    self.libraries = libraries
    self.logger = logger
  }

  /// Checks every hour whether a day has passed.
  public func run() async {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        await expire()
        try? await Task.sleep(for: .seconds(3600), tolerance: .seconds(60))
      }
    }
  }

  func expire() async {
    do {
      let count = try await libraries.expire()
      if count > 0 { logger.notice("Unused libraries were removed.", metadata: ["count": "\(count)"]) }
    } catch {
      logger.error("Unused libraries could not be removed.", metadata: ["error": "\(error)"])
    }
  }
}
