// Longbox
// SPDX-License-Identifier: MIT

import Foundation

#if canImport(Glibc)
import CSpawn
#endif

/// A running program: one of the system, or one that was built next to the tests.
///
/// By posix_spawn(3): Foundation's `Process` crashes in a process that has more than a thousand files open, as a
/// parallel run of all tests has. The output goes to files. Programs that other tests start would inherit a pipe and
/// keep it open.
package final class Program: Sendable {
  /// How a program ended.
  package struct End: Sendable {
    /// The exit code, or the number of the signal that ended it.
    package let code: Int32
    package let bytes: [UInt8]
    package let errors: String

    package var output: String { String(decoding: bytes, as: UTF8.self) }
    /// Output and errors.
    package var text: String { output + errors }
  }

  private struct CannotStart: Error {
    let words: [String]
    let number: Int32
  }

  private let folder = TemporaryFolder()
  private let identifier: pid_t
  private let exits: AsyncStream<Int32>

  /// Starts a program.
  /// - Parameters:
  ///   - words: its path, or its name in `PATH`, and the arguments.
  ///   - input: what it reads from standard input.
  ///   - environment: the environment variables; nil for those of the tests.
  package init(_ words: [String], input: [UInt8] = [], environment: [String: String]? = nil) throws {
    try folder.write(input, to: "input")
    for name in ["output", "errors"] { try folder.write([], to: name) }
    let program = words.map(Self.quoted).joined(separator: " ")
    let files = Self.quoted(folder.url.path)
    let command = "exec \(program) < \(files)/input > \(files)/output 2> \(files)/errors"
    let environment = environment ?? ProcessInfo.processInfo.environment
    let identifier = try Self.spawn(["/bin/sh", "-c", command], environment)
    let (exits, exit) = AsyncStream<Int32>.makeStream()
    self.identifier = identifier
    self.exits = exits
    Thread.detachNewThread {
      var status: Int32 = 0
      while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
      exit.yield(status & 0x7F == 0 ? status >> 8 & 0xFF : status & 0x7F)
      exit.finish()
    }
  }

  /// Starts a program that was built next to the tests, independent of the developer's settings.
  /// - Parameters:
  ///   - name: the program's name.
  ///   - arguments: its arguments.
  ///   - environment: further environment variables than where to find programs and libraries.
  package convenience init(
    built name: String,
    _ arguments: [String],
    environment: [String: String] = [:]
  ) throws {
    let inherited = ProcessInfo.processInfo.environment.filter {
      ["PATH", "LD_LIBRARY_PATH"].contains($0.key)
    }
    try self.init(
      [Self.path(ofBuilt: name)] + arguments,
      environment: inherited.merging(environment) { $1 }
    )
  }

  /// Whether a program was built next to the tests.
  package static func isBuilt(_ name: String) -> Bool {
    FileManager.default.isExecutableFile(atPath: path(ofBuilt: name))
  }

  private static func path(ofBuilt name: String) -> String {
    Bundle.main.bundleURL.appending(path: name).path
  }

  /// Runs a program of the system to its end.
  package static func run(_ words: String..., input: [UInt8] = []) async throws -> End {
    try await Program(words, input: input).end()
  }

  /// Waits for the first line of output; the suite's time limit ends the wait.
  package func firstLine() async throws -> String {
    try await eventually { try text(of: "output").contains("\n") }
    return try text(of: "output").prefix { $0 != "\n" }.description
  }

  /// Sends SIGTERM, as a supervisor does.
  package func terminate() { Foundation.kill(identifier, SIGTERM) }

  /// Sends SIGKILL, to simulate a crash.
  package func kill() { Foundation.kill(identifier, SIGKILL) }

  /// Waits until it has exited.
  package func end() async throws -> End {
    var code: Int32 = -1
    for await exit in exits { code = exit }
    return End(code: code, bytes: try bytes(of: "output"), errors: try text(of: "errors"))
  }

  private func bytes(of name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.path(name)))
  }

  private func text(of name: String) throws -> String {
    String(decoding: try bytes(of: name), as: UTF8.self)
  }

  private static func spawn(_ words: [String], _ environment: [String: String]) throws -> pid_t {
    let arguments = words.map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    // Threads of tasks block most signals, and the program would inherit that.
    var (none, old) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &old)
    defer { pthread_sigmask(SIG_SETMASK, &old, nil) }
    // Another test's connection would stay open as long as the program runs, and its other end would wait.
    #if canImport(Darwin)
    var (actions, attributes): (posix_spawn_file_actions_t?, posix_spawnattr_t?) = (nil, nil)
    #else
    var (actions, attributes) = (posix_spawn_file_actions_t(), posix_spawnattr_t())
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    #if canImport(Darwin)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_CLOEXEC_DEFAULT))
    for file in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addinherit_np(&actions, file)
    }
    #else
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)
    #endif
    var identifier: pid_t = 0
    let number = posix_spawn(&identifier, words[0], &actions, &attributes, arguments, variables)
    guard number == 0 else { throw CannotStart(words: words, number: number) }
    return identifier
  }

  private static func quoted(_ word: String) -> String {
    "'" + word.replacingOccurrences(of: "'", with: "'\\''") + "'"
  }
}
