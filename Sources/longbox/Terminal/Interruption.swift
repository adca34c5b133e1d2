// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// What happens on Ctrl-C: the terminal gets its usual state back, then the program ends by the signal, as a shell
/// expects (exit code 130).
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
}
