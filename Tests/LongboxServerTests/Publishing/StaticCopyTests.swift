// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import LongboxCatalog
import LongboxCore
import TestSupport
import Testing

@testable import LongboxServer

@Suite("A static copy", .timeLimit(.minutes(5))) struct StaticCopyTests {
  private let folder = TemporaryFolder()

  @Test func `is not written with an empty file in place of one that can't be read`() async throws {
    let list = #"[{"name":"app.js","hash":"aaaaaaaaaaaaaaaa"}]"#
    try folder.write(Array(list.utf8), to: "web/files.json")
    for name in ["sw.js", "manifest.webmanifest"] { try folder.write(Array(name.utf8), to: "web/\(name)") }
    try await withCatalog(FakeXkcd(latest: 1)) { back in
      await back.catalog.prepare()
      try await back.catalog.ensure(Comic.Number(of: 1))
      let copy = StaticCopy(
        of: try await StoredCatalog(back.store),
        settings: StaticCopy.Settings(folder: folder.path("copy")),
        assets: AssetController(folder: folder.path("web"))
      )
      await #expect(throws: StaticCopyProblem.noWebApplication) { try await copy.write() }
      #expect(folder.files(in: "copy").allSatisfy { !$0.hasSuffix("app.js") })
    }
  }
}

@Suite("The folder of a static copy") struct StaticCopyFolderTests {
  private let folder = TemporaryFolder()

  /// Publishes files, and returns what the run did.
  @discardableResult
  private func publish(_ files: [String: String]) throws -> StaticCopyFolder {
    var copy = try StaticCopyFolder(folder.url)
    for (path, text) in files { try copy.put(path, Array(text.utf8)) }
    try copy.finish()
    return copy
  }

  private var paths: Set<String> { Set(folder.files(in: "")).subtracting([StaticCopyFolder.listName]) }

  private func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: folder.path(path)), as: UTF8.self)
  }

  @Test func `gets only what has changed, and everybody can read it`() throws {
    #expect(try publish(["index.html": "one", "5/index.html": "five"]).written == 2)
    #expect(try publish(["index.html": "one", "5/index.html": "five"]).written == 0)
    #expect(try publish(["index.html": "two", "5/index.html": "five"]).written == 1)
    #expect(try text("index.html") == "two")
    #expect(try folder.permissions("index.html") == 0o644)
  }

  @Test func `is free after a run, also while a child process that is starting has copies of its files`()
    throws
  {
    var copy = try StaticCopyFolder(folder.url)
    let copies = try OpenFiles.of(getpid())
      .compactMap { number, file in
        file.contains(folder.url.lastPathComponent) ? Int32(number).map { dup($0) } : nil
      }
    defer { for descriptor in copies { close(descriptor) } }
    #expect(copies.count == 2)
    try copy.finish()
    #expect(throws: Never.self) { _ = try StaticCopyFolder(folder.url) }
  }

  @Test func `gets again what somebody has removed or cut`() throws {
    try publish(["index.html": "one", "about/index.html": "two"])
    try FileManager.default.removeItem(at: folder.path("index.html"))
    try folder.write(Array("t".utf8), to: "about/index.html")
    #expect(try publish(["index.html": "one", "about/index.html": "two"]).written == 2)
    #expect(try text("about/index.html") == "two")
  }

  @Test func `loses pages that are no more, with their folders`() throws {
    try publish(["index.html": "one", "5/explanation/index.html": "five"])
    #expect(try publish(["index.html": "one"]).removed == 1)
    #expect(paths == ["index.html"])
    #expect(!FileManager.default.fileExists(atPath: folder.path("5").path))
  }

  @Test func `keeps what the version before needs for one more run that changes something`() throws {
    try publish(["index.html": "one", "assets/a/app.js": "old"])
    let second = try publish(["index.html": "two", "assets/b/app.js": "new"])
    #expect((second.retired, second.removed) == (1, 0))
    #expect(paths == ["index.html", "assets/a/app.js", "assets/b/app.js"])
    // A run that changes nothing is no new version.
    #expect(try publish(["index.html": "two", "assets/b/app.js": "new"]).removed == 0)
    #expect(try publish(["index.html": "three", "assets/b/app.js": "new"]).removed == 1)
    #expect(paths == ["index.html", "assets/b/app.js"])
  }

  @Test func `is refused if it holds a file of somebody else, which stays`() throws {
    try folder.write(Array("mine".utf8), to: "photos/me.jpg")
    let problem = StaticCopyProblem.foreignFile(folder: folder.url.path, file: "photos/me.jpg")
    #expect(throws: problem) { try publish(["index.html": "one"]) }
    #expect(paths == ["photos/me.jpg"])
    #expect(problem.description.contains("photos/me.jpg"))
  }

  @Test func `is refused if somebody else has put a file into a copy`() throws {
    try publish(["index.html": "one"])
    try folder.write(Array("mine".utf8), to: "5/notes.txt")
    #expect(throws: StaticCopyProblem.foreignFile(folder: folder.url.path, file: "5/notes.txt")) {
      try publish(["index.html": "two"])
    }
    #expect(try text("index.html") == "one")
  }

  @Test func `may be a clone of git with a domain`() throws {
    try folder.write(Array("ref".utf8), to: ".git/HEAD")
    try folder.write(Array("comics.example.org".utf8), to: "CNAME")
    try publish(["index.html": "one"])
    try publish(["about/index.html": "two"])
    #expect(paths == [".git/HEAD", "CNAME", "about/index.html"])
  }

  @Test func `is finished after a run that was cut off`() throws {
    try publish(["index.html": "one", "5/index.html": "five"])
    do {
      var cut = try StaticCopyFolder(folder.url)
      try cut.put("index.html", Array("two".utf8))
      try cut.put("6/index.html", Array("six".utf8))
      // Cut off within a file.
      try folder.write(Array("se".utf8), to: "6/index.html.longbox-new")
    }
    // The page has another text of the same length now, which the list doesn't know.
    #expect(try publish(["index.html": "one", "5/index.html": "five"]).written == 1)
    #expect(try text("index.html") == "one")
    #expect(paths == ["index.html", "5/index.html"])
  }

  @Test func `takes one run at a time`() throws {
    var running = try StaticCopyFolder(folder.url)
    #expect(throws: StaticCopyProblem.inUse(folder: folder.url.path)) { try StaticCopyFolder(folder.url) }
    try running.finish()
    _ = try StaticCopyFolder(folder.url)
  }

  @Test func `takes one run at a time, also after its first file and if its journal is gone`() throws {
    var running = try StaticCopyFolder(folder.url)
    try running.put("index.html", Array("one".utf8))
    #expect(throws: StaticCopyProblem.inUse(folder: folder.url.path)) { try StaticCopyFolder(folder.url) }
    // The run itself removes its journal shortly before its end.
    try FileManager.default.removeItem(at: folder.path(StaticCopyFolder.journalName))
    #expect(throws: StaticCopyProblem.inUse(folder: folder.url.path)) { try StaticCopyFolder(folder.url) }
    withExtendedLifetime(running) {}
  }

  @Test(arguments: [
    "nonsense",
    #"{"format":"longbox-copy","version":2,"files":{},"archiveRevisions":[],"indexRevisions":[]}"#,
    #"{"format":"longbox-copy","version":1,"files":{"x":{"hash":"","size":-1}},"archiveRevisions":[],"indexRevisions":[]}"#,
    #"{"format":"longbox-copy","version":1,"files":{"../x":{"hash":"","size":1}},"archiveRevisions":[],"indexRevisions":[]}"#,
  ])
  func `removes nothing by a list that it can't trust`(_ list: String) throws {
    try folder.write(Array(list.utf8), to: StaticCopyFolder.listName)
    #expect(throws: StaticCopyProblem.self) { try publish(["index.html": "one"]) }
  }
}
