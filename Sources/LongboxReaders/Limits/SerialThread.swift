// Longbox
// SPDX-License-Identifier: MIT

import Dispatch

/// Runs long computations one after another, on a thread that no other task needs.
public struct SerialThread: Sendable {
  private let queue: DispatchQueue

  /// Makes a thread.
  /// - Parameter label: its name, for debuggers.
  public init(label: String) {
    queue = DispatchQueue(label: label, qos: .utility)
  }

  /// Runs a computation after all earlier ones.
  public func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: work()) }
    }
  }
}
