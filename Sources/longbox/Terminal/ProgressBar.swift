// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Synchronization

/// Shows the progress of long work on a terminal; writes nothing to a file.
final class ProgressBar: Sendable {
  private let title: String
  private let isShown: Bool
  private let columns: Int
  private let shown = Mutex(-1)

  /// Makes a bar on standard error, so that it is not part of the output.
  init(_ title: String, environment: [String: String] = ProcessInfo.processInfo.environment) {
    self.title = title
    isShown = isatty(STDERR_FILENO) == 1 && Console.knowsEscapeCodes(environment)
    columns = TerminalWindow(of: STDERR_FILENO, environment: environment).columns
  }

  /// Shows how much is done.
  func update(_ done: Int, of total: Int) {
    guard isShown, total > 0 else { return }
    let percent = min(max(done, 0), total) * 100 / total
    let isNew = shown.withLock { shown in
      defer { shown = percent }
      return shown != percent
    }
    guard isNew else { return }
    let width = max(columns - title.count - 10, 5)
    let filled = width * percent / 100
    let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
    Console.send("\r\(title) [\(bar)] \(percent)%", to: STDERR_FILENO)
  }

  /// Shows a bar while some work is done.
  /// - Parameters:
  ///   - title: what is done, in a word or two.
  ///   - work: the work, which reports how much of it is done, and how much there is.
  static func showing<Value>(
    _ title: String,
    _ work: (@escaping @Sendable (_ done: Int, _ total: Int) -> Void) async throws -> Value
  ) async rethrows -> Value {
    let bar = ProgressBar(title)
    defer { bar.end() }
    return try await work { bar.update($0, of: $1) }
  }

  /// Removes the bar.
  func end() {
    guard isShown, shown.withLock({ $0 >= 0 }) else { return }
    Console.send("\r\u{1B}[K", to: STDERR_FILENO)
  }
}
