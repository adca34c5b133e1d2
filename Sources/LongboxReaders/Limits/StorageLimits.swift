// Longbox
// SPDX-License-Identifier: MIT

import Foundation
public import Logging
public import LongboxStore
public import ServiceLifecycle

/// How much readers, and strangers who pose as readers, may store; a household never meets the defaults.
public struct StorageLimits: Hashable, Sendable {
  /// How many libraries an address may start in an hour.
  public var newLibrariesPerHour = 100
  /// By how much the libraries that are new may grow in a day, by all changes from one address together, in bytes.
  ///
  /// It is at least the size of a new library, so that one of them can be filled.
  public var newBytesPerAddress = 16 << 20
  /// How many subscriptions to notifications an address may make in an hour.
  public var newSubscriptionsPerHour = 60
  /// The disk space that libraries may take.
  public var libraries = LibraryQuota(newLibrary: 1 << 20, allLibraries: 1 << 30, freeSpace: 200 << 20)
  /// After how many days without a visit a library is removed; 0 for never.
  public var idleDays = 365
  /// The same for a library whose reader never came back on a second day.
  public var unusedDays = 7

  public init() {}
}

/// Removes abandoned libraries, once a day.
public struct LibraryExpiry: Service {
  private let libraries: Libraries
  private let logger: Logger

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
      guard !Task.isCancelled else { return }
      logger.error("Unused libraries could not be removed.", metadata: ["error": "\(error)"])
    }
  }
}
