// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import UnixSignals

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
