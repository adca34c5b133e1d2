// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import TestSupport

/// Runs a program of the system, off the threads that tasks share.
///
/// By popen(3): Foundation's `Process` crashes in a process that has more than a thousand files open, as a parallel run
/// of all tests has.
enum Tool {
  struct Outcome: Sendable {
    let status: Int32
    let text: String
  }

  private struct CannotRun: Error {}

  /// Runs a program by its name.
  /// - Parameters:
  ///   - words: the name and the arguments.
  ///   - input: what it reads from standard input.
  static func run(_ words: String..., input: String = "") async throws -> Outcome {
    try await run(words, input: input)
  }

  /// Runs a program by its name.
  static func run(_ words: [String], input: String = "") async throws -> Outcome {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try runHere(words, input) }) }
    }
  }

  private static func runHere(_ words: [String], _ input: String) throws -> Outcome {
    let folder = TemporaryFolder()
    try folder.write(Array(input.utf8), to: "input")
    let command = "\(words.map(quoted).joined(separator: " ")) < \(quoted(folder.path("input").path)) 2>&1"
    guard let pipe = popen(command, "r") else { throw CannotRun() }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 { bytes += buffer.prefix(count) }
    return Outcome(status: pclose(pipe), text: String(decoding: bytes, as: UTF8.self))
  }

  private static func quoted(_ word: String) -> String {
    "'" + word.replacingOccurrences(of: "'", with: "'\\''") + "'"
  }
}
