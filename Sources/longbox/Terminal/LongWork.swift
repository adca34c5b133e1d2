// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import Synchronization
import UnixSignals

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

/// Handles Ctrl-C: restores the terminal's state, then ends the program by the signal, as a shell expects (exit code
/// 130).
enum Interruption {
  static func prepare() {
    guard isatty(STDOUT_FILENO) == 1 else { return }
    _ = signal(SIGINT) { number in
      // Ends a picture that was being sent, and all styles. Only calls that are safe in a signal handler.
      let ending: StaticString = "\u{1B}\\\u{1B}[0m"
      _ = write(STDOUT_FILENO, ending.utf8Start, ending.utf8CodeUnitCount)
      _ = signal(number, SIG_DFL)
      _ = raise(number)
    }
  }

  /// Runs work that Ctrl-C and SIGTERM cancel, so that it can remove unfinished files.
  ///
  /// Then the program ends with the exit code of that signal, as a shell reports it.
  ///
  /// If the signal comes too late to stop the work, the work counts as done.
  static func cancelling<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
    let task = Task { try await work() }
    let watch = Task<Int32?, Never> {
      for await signal in signals {
        Console.remark("Stopping.")
        task.cancel()
        return signal == .sigint ? SIGINT : SIGTERM
      }
      return nil
    }
    let outcome = await task.result
    watch.cancel()
    if case .failure = outcome, let number = await watch.value {
      throw ExitCode(128 + number)
    }
    return try outcome.get()
  }
}
