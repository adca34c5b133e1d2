// Longbox
// SPDX-License-Identifier: MIT

import CatalogTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import LongboxCore
import Testing
import TestSupport

@testable import LongboxCatalog
@testable import longbox_replay

/// Faults between xkcd and Longbox, over a socket, and what a reader sees.
@Suite("Faults of xkcd end to end", .timeLimit(.minutes(10))) struct FaultsTests {
  /// A fault, and the status of the API and of pictures.
  struct Example: CustomTestStringConvertible {
    let testDescription: String
    let kind: Fault.Kind
    let delay: Duration
    let status: Int
    /// The status of a record, if different.
    let recordStatus: Int?

    init(_ name: String, _ kind: Fault.Kind, _ status: Int, record: Int? = nil, delay: Duration = .zero) {
      testDescription = name
      self.kind = kind
      self.status = status
      recordStatus = record
      self.delay = delay
    }

    /// Whether it lasts until the timeout.
    var isSlow: Bool { status == 504 }

    static let all: [Example] = [
      Example("too late", .delay, 504, delay: .seconds(600)),
      Example("403", .status(403, retryAfter: nil, body: ""), 503),
      Example("404", .status(404, retryAfter: nil, body: nil), 404),
      Example("429 with Retry-After", .status(429, retryAfter: "1", body: nil), 503),
      Example("500", .status(500, retryAfter: nil, body: nil), 503),
      Example("503 with Retry-After", .status(503, retryAfter: "1", body: nil), 503),
      Example("a body cut off", .cut(after: nil), 503),
      Example("no byte of the body", .cut(after: 0), 503),
      Example("a length that is too great", .length(offset: 7), 503),
      Example("a length that is too small", .length(offset: -7), 502),
      Example("HTML", .html, 502),
      Example("a slow drip", .drip(bytesPerSecond: 1), 504),
      Example("a connection that is reset", .reset, 503),
      Example("an empty body", .empty, 502),
      Example("an endless body", .endless, 502),
      Example("a redirect to itself", .redirect(to: nil, status: 302), 502),
      Example("a redirect to another machine", .redirect(to: "http://192.0.2.1/", status: 301), 502),
    ]

    static let ofRecords = all + [Example("another comic's record", .wrongNumber(nil), 502)]
  }

  /// A recording of six handmade comics.
  private func recording() throws -> TemporaryFolder {
    let folder = TemporaryFolder()
    let lines = (1...6).map { HandmadeRecord.raw($0) }.joined(separator: [0x0A])
    try folder.write(Array(lines), to: "xkcd/comics.jsonl")
    for number in 1...6 {
      try folder.write(HandmadeRecord.picture(number), to: "xkcd/images/bread_\(number).png")
    }
    return folder
  }

  private func withFault(
    _ example: Example,
    at path: String,
    _ test: @Sendable (ReplayBench) async throws -> Void
  ) async throws {
    let folder = try recording()
    // Requests that must not time out get a limit that even a busy machine keeps.
    try await withReplay(
      of: folder.url,
      slow: example.isSlow ? (path: path, timeLimit: .seconds(2)) : nil,
      attempts: example.isSlow ? 1 : 2
    ) { bench async throws in
      let id = bench.replayed.plan.add(
        Fault(kind: example.kind, match: FaultMatch(path: path), delay: example.delay)
      )
      try await test(bench)
      let uses = bench.replayed.plan.entries.first { $0.id == id }?.uses
      #expect(uses ?? 0 > 0, "The fault was applied.")
      bench.replayed.plan.clear()
      // A Retry-After of a second waits by the real clock.
      await eventually {
        bench.time.advance(by: 60)
        let record = try? await bench.get("/2/info.0.json").status
        let picture = try? await bench.get("/comics/2/image").status
        return record == .ok && picture == .ok
      }
      let page = try await bench.get("/2/")
      #expect(page.status == .ok)
      #expect(page.text.contains("Bread 2"))
      #expect(page.text.contains("width=\"5\" height=\"4\""))
      #expect(try await bench.get("/comics/2/image").bytes == HandmadeRecord.picture(2))
    }
  }

  @Test(arguments: Example.ofRecords)
  func `in a record lead to a page that says so, and are recovered from`(example: Example) async throws {
    try await withFault(example, at: "/2/info.0.json") { bench async throws in
      let page = try await bench.get("/2/")
      #expect(page.status == .serviceUnavailable)
      #expect(
        page.text.contains("Comic 2 isn’t stored yet, and xkcd.com didn’t send it just now.")
      )
      #expect(page.headers[.contentType] == "text/html; charset=utf-8")
      #expect(try await bench.get("/2/info.0.json").status.code == example.recordStatus ?? example.status)
      #expect(try await bench.get("/").status == .ok)
    }
  }

  @Test(arguments: Example.all)
  func `in a picture lead to a page with the text, and are recovered from`(example: Example) async throws {
    try await withFault(example, at: "/comics/bread_2.png") { bench async throws in
      let page = try await bench.get("/2/")
      #expect(page.status == .ok)
      #expect(page.text.contains("Bread 2"))
      #expect(page.text.contains("It rose."))
      let picture = try await bench.get("/comics/2/image")
      #expect(picture.status.code == example.status)
      // Of a fault browsers show a drawing, although the response is an error.
      #expect(picture.text.contains(example.status < 500 ? "message" : "<svg"))
    }
  }

  @Test(arguments: Example.all.filter { ![404, 504].contains($0.status) })
  func `in everything are shown with the time, and end when xkcd is back`(example: Example) async throws {
    let folder = try recording()
    try await withReplay(of: folder.url) { bench async throws in
      // An unchanged comic would have a 304 response, without a body that can fail.
      try bench.replayed.recording.replace(
        6,
        fields: ["alt": .string("It fell.")],
        picture: nil,
        now: bench.time.now
      )
      _ = bench.replayed.plan.add(Fault(kind: example.kind, match: FaultMatch()))
      await bench.catalog.lookForNewest()
      let page = try await bench.get("/")
      #expect(page.status == .ok)
      #expect(page.text.contains("xkcd.com isn’t answering."))
      bench.replayed.plan.clear()
      await eventually {
        bench.time.advance(by: 60)
        await bench.catalog.lookForNewest()
        return bench.catalog.snapshot.downSince == nil
      }
      #expect(try await !bench.get("/").text.contains("xkcd.com isn’t answering."))
      while case .worked = try await bench.catalog.refresher.fillStep() {}
      #expect(bench.catalog.snapshot.progress == .init(texts: 6, pictures: 6, failures: 0, total: 6))
    }
  }

  @Test func `that refuse connections end when xkcd accepts them again`() async throws {
    let folder = try recording()
    try await withReplay(of: folder.url) { bench async throws in
      await bench.listener.refuse(for: .seconds(600))
      for await _ in bench.pause.asleep { break }
      await bench.catalog.lookForNewest()
      let page = try await bench.get("/2/")
      #expect(page.status == .serviceUnavailable)
      #expect(page.text.contains("It loads when xkcd.com is back."))
      #expect(try await bench.get("/2/info.0.json").status == .serviceUnavailable)
      #expect(try await bench.get("/6/").status == .ok)
      bench.pause.wake()
      await eventually {
        bench.time.advance(by: 60)
        return (try? await bench.get("/2/").status) == .ok
      }
    }
  }
}
