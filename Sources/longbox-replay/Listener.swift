// Longbox
// SPDX-License-Identifier: MIT

import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

/// Listens, stops listening for a while where that is asked for, and listens on the same port again.
final class Listener: Service {
  private struct State {
    var server: ServiceGroup?
    var refusal: Duration?
    var port: Int
    var isAnnounced = false
  }

  private let replayed: Replayed
  private let host: String
  private let logger: Logger
  private let clock: any Clock<Duration>
  private let announce: @Sendable (_ port: Int, _ isFirst: Bool) -> Void
  private let state: Mutex<State>

  /// How long answers that are under way may take once it is to stop; an endless body would hold it forever.
  private static let drain = Duration.seconds(2)

  /// - Parameters:
  ///   - port: 0 for any that is free.
  ///   - announce: called with the port each time that connections are accepted (again).
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
        // Drained for long enough; what was still under way has been cut off.
      }
      guard
        let pause = state.withLock({ state in
          defer { state.refusal = nil }
          return state.refusal
        })
      else { return }
      await cancelWhenGracefulShutdown { [clock] in try? await clock.sleep(for: pause) }
    }
  }

  /// Closes the listening socket, finishes what is under way, and listens again after that time.
  func refuse(for duration: Duration) async {
    let server = state.withLock { state in
      state.refusal = duration
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
