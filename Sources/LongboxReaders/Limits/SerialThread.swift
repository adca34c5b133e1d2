// Longbox
// SPDX-License-Identifier: MIT

import Dispatch

/// Runs long or blocking work, one piece after another, on a thread that no other task needs.
public struct SerialThread: Sendable {
  private let queue: DispatchQueue

  /// Makes a thread.
  /// - Parameter label: its name, for debuggers.
  public init(label: String) {
    queue = DispatchQueue(label: label, qos: .utility)
  }

  /// Starts work after all earlier pieces, without waiting for it.
  public func start(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

  /// Runs a computation after all earlier ones.
  public func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: work()) }
    }
  }
}
