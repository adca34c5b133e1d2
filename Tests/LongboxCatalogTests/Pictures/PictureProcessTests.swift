// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import CPictureMessages
import Foundation
import LongboxCore
import TestSupport
import Testing

@testable import LongboxCatalog

@Suite("The process that decodes pictures", .timeLimit(.minutes(10))) struct PictureProcessTests {
  private let picture = HandmadePicture.png(20, 10) { _, _ in [1, 2, 3] }

  /// A greeting as printf(1) takes it.
  private static let greeting = withUnsafeBytes(
    of: longbox_picture_greeting(version: UInt32(LONGBOX_PICTURE_MESSAGES), protections: 3)
  ) { bytes in "printf '" + bytes.map { "\\" + String($0, radix: 8) }.joined() + "'" }

  /// A program in place of `longbox-pictures`.
  private static func fake(_ script: String, in folder: TemporaryFolder) async throws -> URL {
    try await folder.write(program: script, to: "fake")
  }

  private static let tooLong = "decoding it takes too long"
  private static let nonsense = "longbox-pictures has sent a reply that makes no sense"

  private static func isGone(_ process: Int32) -> Bool { kill(process, 0) != 0 && errno == ESRCH }

  @Test func `starts with the first picture, and decodes the next ones`() async throws {
    let inspector = PictureInspector(logger: .silent)
    #expect(await inspector.processIdentifier == nil)
    #expect(try await inspector.facts(of: picture).width == 20)
    let process = try #require(await inspector.processIdentifier)
    #expect(try await inspector.inspect(picture).facts.height == 10)
    #expect(await inspector.processIdentifier == process)
  }

  @Test func `ends when no picture comes`() async throws {
    let clock = PausedClock()
    let inspector = PictureInspector(clock: clock, logger: .silent)
    _ = try await inspector.facts(of: picture)
    let process = try #require(await inspector.processIdentifier)
    clock.wake()
    await eventually { await inspector.processIdentifier == nil }
    #expect(Self.isGone(process))
    #expect(try await inspector.facts(of: picture).width == 20)
    #expect(await inspector.processIdentifier != nil)
  }

  @Test func `ends with its inspector`() async throws {
    var inspector: PictureInspector? = PictureInspector(logger: .silent)
    _ = try await inspector?.facts(of: picture)
    let process = try #require(await inspector?.processIdentifier)
    inspector = nil
    await eventually { Self.isGone(process) }
  }

  @Test func `is replaced after a number of pictures`() async throws {
    var limits = PictureInspector.Limits()
    limits.picturesPerProcess = 2
    let inspector = PictureInspector(limits: limits, logger: .silent)
    var processes: [Int32?] = []
    for _ in 0..<4 {
      _ = try await inspector.facts(of: picture)
      processes.append(await inspector.processIdentifier)
    }
    #expect(processes[0] == processes[1] && processes[2] == processes[3] && processes[1] != processes[2])
  }

  @Test func `is replaced when something else has killed it`() async throws {
    let inspector = PictureInspector(logger: .silent)
    _ = try await inspector.facts(of: picture)
    let process = try #require(await inspector.processIdentifier)
    kill(process, SIGKILL)
    #expect(try await inspector.facts(of: picture).width == 20)
    #expect(await inspector.processIdentifier != process)
  }

  @Test func `decodes many pictures at once, one after another`() async throws {
    let inspector = PictureInspector(logger: .silent)
    let widths = try await withThrowingTaskGroup(of: Int.self) { group in
      for width in 1...64 {
        group.addTask {
          let bytes = HandmadePicture.png(width, 2) { _, _ in [9, 9, 9] }
          return try await inspector.inspect(bytes).facts.width
        }
      }
      return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
    }
    #expect(widths == Set(1...64))
  }

  @Test func `inherits no file but standard error, and leaves none open here`() async throws {
    let folder = TemporaryFolder()
    try folder.write([1], to: "secret")
    let open = try FileHandle(forReadingFrom: folder.path("secret"))
    let inspector = PictureInspector(logger: .silent)
    _ = try await inspector.facts(of: picture)
    let process = try #require(await inspector.processIdentifier)
    let files = try OpenFiles.of(process)
    #expect(files.keys.sorted() == ["0", "1", "2"])
    #expect(files["0"]?.hasPrefix("socket:") == true && files["0"] == files["1"])
    #expect(files["2"] == "/dev/null")
    try open.close()
  }

  @Test func `is confined before it reads a picture`() async throws {
    let inspector = PictureInspector(logger: .silent)
    _ = try await inspector.facts(of: picture)
    let process = try #require(await inspector.processIdentifier)
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    #expect(status.contains("NoNewPrivs:\t1"))
    #expect(status.contains("Seccomp:\t2"))
    let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
      .split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
    #expect(limits.contains("Max address space 1073741824 1073741824 bytes"))
    #expect(limits.contains("Max cpu time 120 120 seconds"))
    #expect(limits.contains("Max file size 0 0 bytes"))
    #expect(limits.contains("Max core file size 0 0 bytes"))
    #expect(limits.contains("Max open files 3 3 files"))
  }

  @Test(.enabled(if: Landlock.isInKernel, "the kernel has no Landlock, or denies it to this process"))
  func `is denied all files by Landlock`() throws {
    let program = Bundle.main.bundleURL.appending(path: "longbox-pictures")
    let process = try PictureProcess(program, within: .seconds(600))
    defer { process.end() }
    #expect(Int(process.protections) & LONGBOX_PICTURE_LANDLOCK != 0)
  }

  @Test(arguments: [
    ("kill -SEGV $$", "longbox-pictures was ended by signal 11 while decoding the picture"),
    ("exit 3", "longbox-pictures has ended with exit code 3 while decoding the picture"),
    ("exec sleep 600", tooLong),
    ("printf garbage; exec sleep 600", tooLong),
    ("exec yes", nonsense),
    ("head -c 304 /dev/zero; exec sleep 600", nonsense),
    ("head -c 304 /dev/zero | tr '\\0' '\\377'; exec sleep 600", nonsense),
  ])
  func `is ended, and its picture fails, if it does anything else`(script: String, reason: String)
    async throws
  {
    let folder = TemporaryFolder()
    var limits = PictureInspector.Limits()
    limits.time = reason == Self.tooLong ? .milliseconds(500) : .seconds(600)
    let program = try await Self.fake("\(Self.greeting)\nhead -c 1 >/dev/null\n\(script)", in: folder)
    let inspector = PictureInspector(program: program, limits: limits, logger: .silent)
    await #expect(throws: PictureError.undecodable(reason: reason)) { try await inspector.inspect(picture) }
    #expect(await inspector.processIdentifier == nil)
    await #expect(throws: PictureError.undecodable(reason: reason)) { try await inspector.facts(of: picture) }
  }

  @Test func `is ended if its drawing would command the terminal`() async throws {
    let folder = TemporaryFolder()
    var limits = PictureInspector.Limits()
    limits.time = .seconds(600)
    // A reply without an error and with six bytes, which set a window's title.
    let script = """
      \(Self.greeting)
      head -c 1 >/dev/null
      printf '\\006'; head -c 303 /dev/zero; printf '\\033]0;a\\007'
      exec sleep 600
      """
    let program = try await Self.fake(script, in: folder)
    let inspector = PictureInspector(program: program, limits: limits, logger: .silent)
    await #expect(throws: PictureError.undecodable(reason: Self.nonsense)) {
      try await inspector.draw(picture, for: TerminalArea(columns: 40, rows: 20))
    }
    #expect(await inspector.processIdentifier == nil)
  }

  @Test func `is ended if its picture has another size than was asked for`() async throws {
    let folder = TemporaryFolder()
    var limits = PictureInspector.Limits()
    limits.time = .seconds(600)
    // A reply without an error, and a PNG file of 20 by 10 pixels.
    let file = HandmadePicture.png(20, 10, colourType: 0) { _, _ in [0] }
    try folder.write(file, to: "file")
    let length = "\\" + String(file.count & 0xFF, radix: 8) + "\\" + String(file.count >> 8, radix: 8)
    let script = """
      \(Self.greeting)
      head -c 1 >/dev/null
      for request in 1 2; do
        printf '\(length)'; head -c 302 /dev/zero; cat '\(folder.path("file").path)'
      done
      exec sleep 600
      """
    let program = try await Self.fake(script, in: folder)
    let inspector = PictureInspector(program: program, limits: limits, logger: .silent)
    #expect(try await inspector.picture(picture, on: PictureCanvas(width: 20, height: 10)) == file)
    await #expect(throws: PictureError.self) {
      try await inspector.picture(picture, on: PictureCanvas(width: 21, height: 10))
    }
    #expect(await inspector.processIdentifier == nil)
  }

  @Test func `decodes the next picture after it has failed on one`() async throws {
    let folder = TemporaryFolder()
    try folder.write([], to: "first")
    let real = Bundle.main.bundleURL.appending(path: "longbox-pictures").path
    let first = folder.path("first").path
    let script = """
      if [ -e '\(first)' ]; then rm '\(first)'; \(Self.greeting); kill -ABRT $$; fi
      exec '\(real)'
      """
    let inspector = PictureInspector(program: try await Self.fake(script, in: folder), logger: .silent)
    await #expect(
      throws: PictureError.undecodable(
        reason: "longbox-pictures was ended by signal 6 while decoding the picture"
      )
    ) { try await inspector.facts(of: picture) }
    #expect(try await inspector.facts(of: picture).width == 20)
  }

  @Test func `is ended when the request is cancelled`() async throws {
    let folder = TemporaryFolder()
    var limits = PictureInspector.Limits()
    limits.time = .seconds(600)
    let mark = folder.path("mark").path
    let script = "\(Self.greeting)\nhead -c 1 >/dev/null\n: >'\(mark)'\nexec sleep 600"
    let program = try await Self.fake(script, in: folder)
    let inspector = PictureInspector(program: program, limits: limits, logger: .silent)
    let request = Task { try await inspector.facts(of: picture) }
    await eventually { FileManager.default.fileExists(atPath: mark) }
    request.cancel()
    await #expect(throws: PictureError.cancelled) { try await request.value }
    #expect(await inspector.processIdentifier == nil)
  }

  @Test(arguments: [
    ("echo no greeting at all; exec sleep 600", "has another version than this program, or was killed"),
    ("exit 127", "has ended with exit code 127"), ("exec sleep 600", "did not start within 0.5 seconds"),
  ])
  func `is unavailable if it doesn't greet`(script: String, words: String) async throws {
    let folder = TemporaryFolder()
    var limits = PictureInspector.Limits()
    limits.startTime = words.contains("within") ? .milliseconds(500) : .seconds(600)
    let program = try await Self.fake(script, in: folder)
    let inspector = PictureInspector(program: program, limits: limits, logger: .silent)
    await #expect(throws: PictureError.unavailable(reason: "\(program.path) \(words)")) {
      try await inspector.facts(of: picture)
    }
  }

  @Test func `is named if it is missing`() async {
    let inspector = PictureInspector(program: URL(filePath: "/nowhere/longbox-pictures"), logger: .silent)
    let reason = "/nowhere/longbox-pictures can't be started: No such file or directory"
    await #expect(throws: PictureError.unavailable(reason: reason)) { try await inspector.facts(of: picture) }
    await #expect(throws: PictureError.foreign) { try await inspector.facts(of: Array("<html>".utf8)) }
  }
}

private enum Landlock {
  /// Whether the kernel has Landlock, and lets this process use it.
  ///
  /// It asks as landlock_create_ruleset(2) describes, because /sys/kernel/security is often not mounted.
  static var isInKernel: Bool {
    // Swift doesn't import syscall(2), whose number of arguments varies.
    typealias Call = @convention(c) (Int, UnsafeRawPointer?, Int, UInt32) -> Int
    let (createRuleset, flagOfVersion) = (444, UInt32(1))
    guard let call = dlsym(nil, "syscall") else { return false }
    return unsafeBitCast(call, to: Call.self)(createRuleset, nil, 0, flagOfVersion) > 0
  }
}
