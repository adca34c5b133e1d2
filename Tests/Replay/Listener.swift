// Longbox
// SPDX-License-Identifier: MIT

import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

/// A server that can stop listening for a while and then listen again on the same port.
final class Listener: Service {
  private struct State {
    var server: ServiceGroup?
    var rejection: Duration?
    var port: Int
    var isAnnounced = false
  }

  private let replayed: Replayed
  private let host: String
  private let logger: Logger
  private let clock: any Clock<Duration>
  private let announce: @Sendable (_ port: Int, _ isFirst: Bool) -> Void
  private let state: Mutex<State>

  /// The time for answers in progress at a stop; an endless body would never finish.
  private static let drain = Duration.seconds(2)

  /// Makes a listener on a port, 0 for any free one; it calls `announce` each time it starts to listen.
  init(
    _ replayed: Replayed,
    host: String,
    port: Int,
    logger: Logger,
    clock: any Clock<Duration>,
    announce: @escaping @Sendable (_ port: Int, _ isFirst: Bool) -> Void
  ) {
    self.replayed = replayed
    self.host = host
    self.logger = logger
    self.clock = clock
    self.announce = announce
    state = Mutex(State(port: port))
  }

  func run() async throws {
    while !Task.isShuttingDownGracefully, !Task.isCancelled {
      let server = server()
      state.withLock { $0.server = server }
      do {
        try await server.run()
      } catch is CancellationError {
        // The drain time is over; the remaining answers were cut off.
      }
      guard
        let pause = state.withLock({ state in
          defer { state.rejection = nil }
          return state.rejection
        })
      else { return }
      await cancelWhenGracefulShutdown { [clock] in try? await clock.sleep(for: pause) }
    }
  }

  /// Stops listening, finishes the answers in progress, and listens again after the duration.
  func refuse(for duration: Duration) async {
    let server = state.withLock { state in
      state.rejection = duration
      return state.server
    }
    await server?.triggerGracefulShutdown()
  }

  private func server() -> ServiceGroup {
    let application = Application(
      router: replayed.router { [weak self] in await self?.refuse(for: $0) },
      configuration: .init(address: .hostname(host, port: state.withLock { $0.port })),
      onServerRunning: { [weak self] in self?.isListening(on: $0) },
      logger: logger
    )
    var configuration = ServiceGroupConfiguration(services: [application], logger: logger)
    configuration.maximumGracefulShutdownDuration = Self.drain
    return ServiceGroup(configuration: configuration)
  }

  private func isListening(on channel: any Channel) {
    guard let port = channel.localAddress?.port else { return }
    let isFirst = state.withLock { state in
      defer { state.isAnnounced = true }
      state.port = port
      return !state.isAnnounced
    }
    announce(port, isFirst)
  }
}
