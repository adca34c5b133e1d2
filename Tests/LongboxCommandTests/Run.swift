// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// One run of the program, as it was built beside the tests.
final class Run {
  static let program = Bundle.main.bundleURL.appending(path: "longbox")
  static var isBuilt: Bool { FileManager.default.isExecutableFile(atPath: program.path) }

  /// What a run came to.
  struct End {
    let code: Int32
    let output: String
    let errors: String
  }

  private let process = Process()
  private let output = Pipe()
  private let errors = Pipe()
  private let exits: AsyncStream<Int32>
  private let chunks: AsyncStream<Data>
  private var text = ""

  /// Starts the program with nothing in its environment but what is given, so that no setting of the tester's counts.
  init(_ arguments: [String], environment: [String: String] = [:]) throws {
    let (exits, exit) = AsyncStream<Int32>.makeStream()
    let (chunks, chunk) = AsyncStream<Data>.makeStream()
    self.exits = exits
    self.chunks = chunks
    process.executableURL = Self.program
    process.arguments = arguments
    let inherited = ProcessInfo.processInfo.environment.filter {
      ["PATH", "LD_LIBRARY_PATH"].contains($0.key)
    }
    process.environment = inherited.merging(environment) { $1 }
    process.standardOutput = output
    process.standardError = errors
    process.terminationHandler = { exit.yield($0.terminationStatus) }
    output.fileHandleForReading.readabilityHandler = { handle in
      let data = handle.availableData
      guard !data.isEmpty else {
        handle.readabilityHandler = nil
        return chunk.finish()
      }
      chunk.yield(data)
    }
    try process.run()
  }

  deinit {
    if process.isRunning { process.terminate() }
  }

  /// What it prints up to the first line break; nothing where it ends before.
  func firstLine() async -> String? {
    while !text.contains("\n") {
      var next = chunks.makeAsyncIterator()
      guard let chunk = await next.next() else { return nil }
      text += String(decoding: chunk, as: UTF8.self)
    }
    return text.prefix { $0 != "\n" }.description
  }

  /// Asks it to end, as a supervisor does.
  func terminate() { process.terminate() }

  /// Waits for its end.
  func end() async throws -> End {
    for await chunk in chunks { text += String(decoding: chunk, as: UTF8.self) }
    var code: Int32?
    for await exit in exits {
      code = exit
      break
    }
    let complaint = try errors.fileHandleForReading.readToEnd() ?? Data()
    return End(code: code ?? -1, output: text, errors: String(decoding: complaint, as: UTF8.self))
  }
}
