// Longbox
// SPDX-License-Identifier: MIT

import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

/// Runs the listening part of the server, and replaces it while the program runs.
///
/// A replacement listens as soon as the port is free. The old part still answers its requests in progress, so the page
/// that asked for the change gets its answer.
final class ReplaceableListener: Service {
  /// Creates a listening part from settings, a closure that replaces it with a part with other settings, and a closure
  /// to call with the channel when it listens.
  typealias Make =
    @Sendable (
      ServerSettings, _ change: @escaping Replace,
      _ onListening: @escaping @Sendable (any Channel) async -> Void
    ) async throws -> any Service
  /// Replaces the listening part with one that has other settings; nil to start again with the same.
  typealias Replace = @Sendable (ServerSettings?) async throws -> Void

  private struct Part: Sendable {
    let number: Int
    let settings: ServerSettings
    let group: ServiceGroup
    let channel: any Channel
  }

  private enum Event: Sendable {
    /// A part asks for other settings; nil to start again with the same ones.
    case change(ServerSettings?, by: Int, CheckedContinuation<Void, any Error>)
    /// A part has ended, with an error or not.
    case ended(Int, (any Error)?)
  }

  private let settings: ServerSettings
  private let logger: Logger
  private let make: Make
  private let (events, inbox) = AsyncStream.makeStream(of: Event.self)
  private let parts = Atomic(0)

  /// Creates a listener; `run` starts it.
  init(_ settings: ServerSettings, logger: Logger, make: @escaping Make) {
    self.settings = settings
    self.logger = logger
    self.make = make
  }

  /// Replaces the listening part with one that has other settings, or the same.
  ///
  /// Port 0 means the current port. If the new part can't listen, the server continues with the old settings. A part that
  /// was replaced already can't start its successor again.
  /// - Throws: `ServerError`, `TLSError` or `StoreError`.
  private func change(to settings: ServerSettings?, by part: Int) async throws {
    try await withCheckedThrowingContinuation { continuation in
      if case .enqueued = inbox.yield(.change(settings, by: part, continuation)) { return }
      continuation.resume(throwing: CancellationError())
    }
  }

  /// Runs until shutdown, or until what listens fails.
  /// - Throws: `ServerError` if it can't listen, otherwise the error that ended it.
  func run() async throws {
    let outcome: Result<Void, any Error>
    do {
      try await withThrowingDiscardingTaskGroup { group in try await run(in: &group) }
      outcome = .success(())
    } catch {
      outcome = .failure(error)
    }
    inbox.finish()
    for await case .change(_, _, let done) in events { done.resume(throwing: CancellationError()) }
    try outcome.get()
  }

  private func run(in group: inout ThrowingDiscardingTaskGroup<any Error>) async throws {
    var part = try await start(settings, in: &group)
    for await event in events {
      switch event {
      case .change(nil, let asking, let done) where asking != part.number: done.resume()
      case .change(let settings, _, let done):
        part = try await replace(part, settings ?? part.settings, done, in: &group)
      case .ended(let number, let error) where number == part.number:
        group.cancelAll()
        if let error { throw error }
        return
      case .ended: continue
      }
    }
    try Task.checkCancellation()
  }

  /// Stops listening, and starts again with other settings, or with the old ones if that fails.
  private func replace(
    _ part: Part,
    _ settings: ServerSettings,
    _ done: CheckedContinuation<Void, any Error>,
    in group: inout ThrowingDiscardingTaskGroup<any Error>
  ) async throws -> Part {
    var (new, old) = (settings, part.settings)
    if let port = part.channel.localAddress?.port {
      if new.port == 0 { new.port = port }
      old.port = port
    }
    await part.group.triggerGracefulShutdown()
    try? await part.channel.closeFuture.get()
    do {
      let part = try await start(new, in: &group)
      done.resume()
      return part
    } catch {
      logger.error("The server can’t listen with its new settings.", metadata: ["error": "\(error)"])
      defer { done.resume(throwing: error) }
      return try await start(old, in: &group)
    }
  }

  /// Starts a part, and waits until it listens.
  private func start(
    _ settings: ServerSettings,
    in group: inout ThrowingDiscardingTaskGroup<any Error>
  ) async throws -> Part {
    let number = parts.add(1, ordering: .relaxed).newValue
    let (channels, listening) = AsyncThrowingStream<any Channel, any Error>.makeStream()
    let service = try await make(
      settings,
      { [weak self] settings in try await self?.change(to: settings, by: number) },
      { channel in listening.yield(channel) }
    )
    let services = ServiceGroup(configuration: .init(services: [service], logger: logger))
    group.addTask { [inbox] in
      do {
        try await services.run()
        listening.finish()
        inbox.yield(.ended(number, nil))
      } catch {
        let error = (error as? IOError).map { ServerError($0, settings) } ?? error
        listening.finish(throwing: error)
        inbox.yield(.ended(number, error))
      }
    }
    for try await channel in channels {
      return Part(number: number, settings: settings, group: services, channel: channel)
    }
    throw CancellationError()
  }
}
