// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import TestSupport

/// A run of the program that was built next to the tests.
///
/// The output goes to files. Programs that other tests start would inherit a pipe and keep it open.
final class Run: Sendable {
  static let program = Bundle.main.bundleURL.appending(path: "longbox")
  static var isBuilt: Bool { FileManager.default.isExecutableFile(atPath: program.path) }

  struct End {
    let code: Int32
    let output: String
    let errors: String
  }

  private let folder = TemporaryFolder()
  private let identifier: pid_t
  private let exits: AsyncStream<Int32>

  /// Starts the program with only these environment variables, independent of the developer's settings.
  init(_ arguments: [String], environment: [String: String] = [:]) throws {
    for name in ["output", "errors"] { try folder.write([], to: name) }
    let (exits, exit) = AsyncStream<Int32>.makeStream()
    self.exits = exits
    let process = Process()
    process.executableURL = Self.program
    process.arguments = arguments
    let inherited = ProcessInfo.processInfo.environment.filter {
      ["PATH", "LD_LIBRARY_PATH"].contains($0.key)
    }
    process.environment = inherited.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: folder.path("output"))
    process.standardError = try FileHandle(forWritingTo: folder.path("errors"))
    process.terminationHandler = {
      exit.yield($0.terminationStatus)
      exit.finish()
    }
    try process.run()
    identifier = process.processIdentifier
  }

  /// Waits for the first line of output; the suite's time limit ends the wait.
  func firstLine() async throws -> String {
    try await eventually { try text(of: "output").contains("\n") }
    return try text(of: "output").prefix { $0 != "\n" }.description
  }

  /// Sends SIGTERM, as a supervisor does.
  func terminate() { Foundation.kill(identifier, SIGTERM) }

  /// Sends SIGKILL, to simulate a crash.
  func kill() { Foundation.kill(identifier, SIGKILL) }

  /// Waits until it has exited.
  func end() async throws -> End {
    var code: Int32 = -1
    for await exit in exits { code = exit }
    return End(code: code, output: try text(of: "output"), errors: try text(of: "errors"))
  }

  private func text(of name: String) throws -> String {
    String(decoding: try Data(contentsOf: folder.path(name)), as: UTF8.self)
  }
}
