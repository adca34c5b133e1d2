// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
import TestSupport
#endif

@Suite(
  "The command line",
  .timeLimit(.minutes(10)),
  .enabled(if: Program.isBuilt("longbox"), "the program isn't beside the tests")
)
struct CommandTests {
  private let data = TemporaryFolder()
  private let source = TemporaryFolder()

  private func run(_ arguments: String..., environment: [String: String] = [:]) async throws -> Program.End {
    try await Program(built: "longbox", arguments + ["--data", data.url.path], environment: environment).end()
  }

  private func writeThree() throws {
    let lines = (1...3).map { HandmadeRecord.raw($0) } + [Array("<html>".utf8)]
    try source.write(Array(lines.joined(separator: [0x0A])), to: "comics.jsonl")
    for number in 1...3 {
      try source.write(HandmadeRecord.picture(number), to: "images/bread_\(number).png")
    }
  }

  private struct Import: Decodable {
    struct Counts: Decodable { let new, changed, unchanged: Int }
    struct Skipped: Decodable { let line: Int, reason: String }
    let comics, pictures: Counts
    let skipped: [Skipped]
  }

  private struct Status: Decodable {
    let comics: Int
    let latest: Int?
    let isSound, isComplete: Bool
    let missingPictures: [String]
  }

  @Test func `imports comics, reports the status, and finds lost pictures`() async throws {
    try writeThree()
    let first = try await run("import", source.url.path)
    #expect(first.code == 0)
    #expect(first.output.contains("Line 4: The record can't be used: it is an HTML page instead of JSON."))
    #expect(first.output.contains("Comics: 3 new, 0 changed, 0 already there."))
    let second = try await run("import", source.url.path, "--json")
    let report = try JSONDecoder().decode(Import.self, from: Data(second.output.utf8))
    #expect(report.comics.unchanged == 3 && report.pictures.unchanged == 3)
    #expect(report.skipped.map(\.line) == [4])

    let sound = try await run("status", "--json", "--deep")
    #expect(sound.code == 0)
    let status = try JSONDecoder().decode(Status.self, from: Data(sound.output.utf8))
    #expect(status.comics == 3 && status.latest == 3 && status.isSound && status.isComplete)
    #expect(try await run("status").output.contains("Nothing that was stored is lost or damaged."))

    let pictures = try FileManager.default.subpathsOfDirectory(atPath: data.path("pictures").path)
    let lost = try #require(pictures.first { $0.hasSuffix(".png") })
    try FileManager.default.removeItem(at: data.path("pictures/\(lost)"))
    let damaged = try await run("status", "--json")
    #expect(damaged.code == 1)
    let loss = try JSONDecoder().decode(Status.self, from: Data(damaged.output.utf8))
    #expect(loss.missingPictures == [lost])
    #expect(!loss.isSound)
  }

  /// Arguments, the exit code (sysexits(3)), and a word that stderr must contain.
  @Test(arguments: [
    (["import", "/nowhere"], 66, "/nowhere"), (["status"], 66, "longbox serve"),
    (["serve", "--port", "70000"], 78, "LONGBOX_PORT"),
    (["serve", "--xkcd-url", "ftp://x"], 78, "LONGBOX_XKCD_URL"),
    (["serve", "--base-path", "longbox"], 78, "LONGBOX_BASE_PATH"),
    (["serve", "--public-url", "example.org"], 78, "LONGBOX_PUBLIC_URL"),
    (["serve", "--public-url", "https://example.org/a", "--base-path", "/b"], 78, "/b"),
    (["serve", "--remote-user-header", "Remote-User"], 78, "LONGBOX_TRUSTED_PROXIES"),
    (
      ["serve", "--remote-user-header", "Cookie", "--trusted-proxy", "10.0.0.2"], 78,
      "LONGBOX_REMOTE_USER_HEADER"
    ),
    (["serve", "--fill", "perhaps"], 78, "LONGBOX_FILL"), (["serve", "--log", "loud"], 78, "LONGBOX_LOG"),
    (["serve", "--contact", "a(b"], 78, "LONGBOX_CONTACT"), (["reload", "404"], 64, "404"),
    (["reload", "x"], 64, "number"), (["import"], 64, "path"), (["dance"], 64, "dance"),
  ])
  func `reports each error in a sentence, with an exit code`(arguments: [String], code: Int32, mark: String)
    async throws
  {
    let command =
      ["dance", "import"].contains(arguments.joined()) ? arguments : arguments + ["--data", data.url.path]
    let end = try await Program(built: "longbox", command).end()
    #expect(end.code == code)
    #expect(end.errors.contains(mark), "\(end.errors)")
    #expect(end.output.isEmpty)
    #expect(!end.errors.contains("Fatal error"))
  }

  @Test(arguments: [[], ["serve"], ["import"], ["status"], ["reload"]])
  func `prints help for each command`(command: [String]) async throws {
    let end = try await Program(built: "longbox", command + ["--help"]).end()
    #expect(end.code == 0)
    #expect(end.output.contains("USAGE: longbox"))
    if command == ["serve"] {
      for mark in ["LONGBOX_PORT", "LONGBOX_DATA", "LONGBOX_XKCD_URL", "SIGTERM"] {
        #expect(end.output.contains(mark), "\(mark)")
      }
    }
  }

  @Test func `serves the samples without a network, and stops cleanly on SIGTERM`() async throws {
    // Nothing listens on port 1 of the loopback interface.
    let server = try Program(
      built: "longbox",
      ["serve", "--port", "0", "--xkcd-url", "http://127.0.0.1:1", "--explain-url", "http://127.0.0.1:1"],
      environment: ["LONGBOX_DATA": data.url.path, "LONGBOX_XKCD_IMAGES_URL": "http://127.0.0.1:1"]
    )
    defer { server.terminate() }
    let line = try await server.firstLine()
    let address = try #require(line.wholeMatch(of: /Longbox is at (http:\/\/127\.0\.0\.1:\d+)/))
    let base = try #require(URL(string: String(address.1)))
    let page = String(decoding: try await Self.bytes(at: base), as: UTF8.self)
    #expect(page.contains("Sample box."))
    let health = String(decoding: try await Self.bytes(at: base.appending(path: "healthz")), as: UTF8.self)
    #expect(health.contains("\"samples\":true"))
    let beside = try await run("status", "--json")
    #expect(beside.code == 0, "It works beside a running server.")
    let second = try await run("import", source.url.path)
    #expect(second.code == 66)
    try writeThree()
    let third = try await run("import", source.url.path)
    #expect(third.code == 75)
    #expect(third.errors.contains("in use by another Longbox"))
    server.terminate()
    let end = try await server.end()
    #expect(end.code == 0)
    #expect(end.output == line + "\n", "One line on stdout, and no more.")
  }

  @Test func `tells a service manager that it listens, answers and stops`() async throws {
    try FileManager.default.createDirectory(at: data.url, withIntermediateDirectories: true)
    let socket = try NotifySocket(data.path("notify").path)
    let server = try Program(
      built: "longbox",
      [
        "serve", "--port", "0", "--xkcd-url", "http://127.0.0.1:1", "--explain-url", "http://127.0.0.1:1",
        "--data", data.url.path,
      ],
      environment: ["NOTIFY_SOCKET": socket.name, "WATCHDOG_USEC": "20000"]
    )
    defer { server.kill() }
    let line = try await server.firstLine()
    var messages: [String] = []
    // The watchdog starts with the server, before it listens.
    while messages.last?.hasPrefix("READY=1") != true { messages.append(try #require(await socket.next())) }
    #expect(messages.last == "READY=1\nSTATUS=\(line)")
    for _ in 1...2 { #expect(await socket.next() == "WATCHDOG=1") }
    server.terminate()
    messages = []
    while messages.last != "STOPPING=1" { messages.append(try #require(await socket.next())) }
    #expect(messages.dropLast().allSatisfy { $0 == "WATCHDOG=1" })
    #expect(try await server.end().code == 0)
  }

  private static func bytes(at url: URL) async throws -> Data {
    try await URLSession.shared.data(from: url).0
  }
}
