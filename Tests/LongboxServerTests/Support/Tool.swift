// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// Runs a program of the system, off the threads that tasks share.
enum Tool {
  struct Outcome: Sendable {
    let status: Int32
    let text: String
  }

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
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    let (stdin, stdout) = (Pipe(), Pipe())
    process.standardInput = stdin
    process.standardOutput = stdout
    process.standardError = stdout
    try process.run()
    // A program may end without reading.
    try? stdin.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try? stdin.fileHandleForWriting.close()
    let output = try stdout.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Outcome(status: process.terminationStatus, text: String(decoding: output, as: UTF8.self))
  }
}
