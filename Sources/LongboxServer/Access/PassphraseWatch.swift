// Longbox
// SPDX-License-Identifier: MIT

import Logging
import LongboxStore
import ServiceLifecycle

/// Looks for a passphrase while a server on loopback has none, and closes the server when there is one.
///
/// A command such as `longbox passphrase` sets it from another process.
struct PassphraseWatch: Service {
  let store: Store
  /// The time between two looks.
  var interval = Duration.seconds(2)
  let logger: Logger
  /// Makes the server start to listen again, as it does with a passphrase.
  let restart: @Sendable () async throws -> Void

  func run() async throws {
    // A database can be away for long.
    var hasLogged = false
    while !Task.isCancelled, !Task.isShuttingDownGracefully {
      do { try await cancelWhenGracefulShutdown { try await Task.sleep(for: interval) } } catch { break }
      do {
        guard try await store.access.hasPassphrase() else {
          hasLogged = false
          continue
        }
        logger.notice("There is a passphrase now: readers sign in.")
        // It fails if the whole server ends, or logs why it can't listen.
        try? await restart()
        break
      } catch {
        if !hasLogged {
          logger.error("Longbox can’t read whether there is a passphrase.", metadata: ["error": "\(error)"])
        }
        hasLogged = true
      }
    }
    // The end of a service would cut off the requests in progress.
    try? await gracefulShutdown()
  }
}
