// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import longbox_replay

@Suite struct FaultMatchTests {
  /// A pattern, a request as `path?query`, and whether they match.
  ///
  /// The source is `imgs`, below `/imgs`.
  @Test(arguments: [
    ("/comics/a.png", "/comics/a.png", true), ("/comics/a.png", "/comics/a.png2", false),
    ("/comics/*", "/comics/a.png", true), ("/comics/*", "/comic/a.png", false),
    ("/comics/*", "/comics/", true),
    ("*.png", "/comics/a.png", true), ("*.png", "/comics/a.png.jpg", false), ("*", "/anything", true),
    ("/*/a*g", "/comics/abag.png", true), ("/*/a*g", "/comics/abagx", false), ("/a*b*c", "/aXbXbXc", true),
    ("/comics/a.png", "/imgs/comics/a.png", true), ("/imgs/comics/*", "/imgs/comics/a.png", true),
    ("/imgs/*", "/comics/a.png", false), ("/comics/a.png", "/comics/a.png?b=1", true),
    ("/comics/*?b=*", "/comics/a.png?b=1", true), ("/comics/*?b=*", "/comics/a.png", false),
    ("/comics/%3F*", "/comics/%3F%3F%3F.png", true),
  ])
  func `matches a pattern against the path`(pattern: String, request: String, isMeant: Bool) {
    let parts = request.split(separator: "?", maxSplits: 1).map(String.init)
    let inner = parts[0].hasPrefix("/imgs/") ? String(parts[0].dropFirst(5)) : parts[0]
    let match = FaultMatch(path: pattern, source: nil)
    let query = parts.count > 1 ? parts[1] : nil
    #expect(match.matches(source: "imgs", path: parts[0], inner: inner, query: query) == isMeant)
  }

  @Test func `matches the source if one is given`() {
    let match = FaultMatch(path: nil, source: "imgs")
    #expect(match.matches(source: "imgs", path: "/comics/a", inner: "/comics/a", query: nil))
    #expect(!match.matches(source: "xkcd", path: "/1/", inner: "/1/", query: nil))
    #expect(FaultMatch().matches(source: "xkcd", path: "/1/", inner: "/1/", query: nil))
  }
}

@Suite struct FaultDecodingTests {
  static let understood: [(String, Fault)] = [
    (#"{"kind": "reset"}"#, Fault(kind: .reset, match: .init())),
    (#"{"kind": "delay", "delay": 250}"#, Fault(kind: .delay, match: .init(), delay: .milliseconds(250))),
    (
      #"{"kind": "status", "status": 429, "retryAfter": 30, "path": "/a*", "times": 2}"#,
      Fault(kind: .status(429, retryAfter: "30", body: nil), match: .init(path: "/a*"), times: 2)
    ),
    (
      #"{"kind": "status", "status": 503, "retryAfter": "Fri, 07 Aug 2026 04:00:00 GMT", "body": ""}"#,
      Fault(
        kind: .status(503, retryAfter: "Fri, 07 Aug 2026 04:00:00 GMT", body: ""),
        match: .init()
      )
    ),
    (
      #"{"kind": "cut", "after": 0, "source": "imgs", "probability": 0.5, "seed": 9}"#,
      Fault(kind: .cut(after: 0), match: .init(source: "imgs"), probability: 0.5, seed: 9)
    ),
    (#"{"kind": "cut"}"#, Fault(kind: .cut(after: nil), match: .init())),
    (#"{"kind": "length", "offset": -3}"#, Fault(kind: .length(offset: -3), match: .init())),
    (#"{"kind": "drip", "bytesPerSecond": 9}"#, Fault(kind: .drip(bytesPerSecond: 9), match: .init())),
    (#"{"kind": "redirect"}"#, Fault(kind: .redirect(to: nil, status: 302), match: .init())),
    (
      #"{"kind": "redirect", "location": "http://10.0.0.1/", "status": 301}"#,
      Fault(kind: .redirect(to: "http://10.0.0.1/", status: 301), match: .init())
    ),
    (#"{"kind": "wrongNumber", "number": 7}"#, Fault(kind: .wrongNumber(7), match: .init())),
    (#"{"kind": "html"}"#, Fault(kind: .html, match: .init())),
    (#"{"kind": "empty"}"#, Fault(kind: .empty, match: .init())),
    (#"{"kind": "endless"}"#, Fault(kind: .endless, match: .init())),
  ]

  @Test(arguments: understood)
  func `decodes a fault`(json: String, fault: Fault) throws {
    #expect(try JSONDecoder().decode(Fault.self, from: Data(json.utf8)) == fault)
  }

  @Test(arguments: [
    ("", "The body is not JSON"), ("[]", "The body is not an object."), ("{}", "'kind' is missing."),
    (#"{"kind": "flood"}"#, "there is no 'flood'; the kinds are cut, delay,"),
    (
      #"{"kind": "cut", "tims": 1}"#,
      "'tims': The fault 'cut' has no such field; its fields are after, delay,"
    ),
    (#"{"kind": "reset", "after": 1}"#, "'after': The fault 'reset' has no such field"),
    (#"{"kind": "cut", "after": -1}"#, "'after': -1 is not from 0 to"),
    (#"{"kind": "cut", "times": "2"}"#, "'times' is not a whole number."),
    (#"{"kind": "cut", "times": 0}"#, "'times': 0 is not from 1 to"),
    (#"{"kind": "cut", "probability": 1.5}"#, "'probability': it lies from 0 to 1."),
    (#"{"kind": "cut", "path": "comics"}"#, "'path': it begins with a slash or a star."),
    (#"{"kind": "delay"}"#, "'delay': the fault 'delay' needs it, in milliseconds."),
    (#"{"kind": "status"}"#, "'status': it is needed, from 200 to 599."),
    (#"{"kind": "status", "status": 99}"#, "'status': 99 is not from 200 to 599."),
    (#"{"kind": "status", "status": 503, "retryAfter": "1\n2"}"#, "'retryAfter': a header's value"),
    (#"{"kind": "length"}"#, "'offset': it is needed"),
    (#"{"kind": "length", "offset": 0}"#, "'offset': 0 would be the right length."),
    (#"{"kind": "drip", "bytesPerSecond": 0}"#, "'bytesPerSecond': 0 is not from 1"),
    (#"{"kind": "redirect", "status": 200}"#, "'status': 200 is not from 300 to 399."),
  ])
  func `explains what is wrong with a fault`(json: String, words: String) {
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Fault.self, from: Data(json.utf8))
    }
    let sentence = error?.sentence(about: "The body") ?? ""
    #expect(sentence.contains(words), "it says: \(sentence)")
  }
}

@Suite struct FaultPlanTests {
  @Test func `applies as often as requested, then lets the next fault apply`() {
    let plan = FaultPlan()
    let first = plan.add(Fault(kind: .reset, match: .init(), times: 2))
    let second = plan.add(Fault(kind: .empty, match: .init()))
    #expect((1...4).map { _ in plan.next { _ in true }?.id } == [first, first, second, second])
    #expect(plan.entries.map(\.uses) == [2, 2])
    #expect(plan.entries.map(\.isSpent) == [true, false])
  }

  @Test func `ignores requests that don't match`() {
    let plan = FaultPlan()
    _ = plan.add(Fault(kind: .reset, match: .init(source: "imgs"), times: 1))
    #expect(plan.next { $0.source == "xkcd" }?.id == nil)
    #expect(plan.entries.map(\.uses) == [0])
  }

  @Test func `removes one fault or all`() {
    let plan = FaultPlan()
    let ids = (1...3).map { _ in plan.add(Fault(kind: .reset, match: .init())) }
    #expect(plan.remove(ids[1]))
    #expect(!plan.remove(ids[1]))
    #expect(plan.entries.map(\.id) == [ids[0], ids[2]])
    plan.clear()
    #expect(plan.next { _ in true }?.id == nil)
  }

  @Test(arguments: [(0.0, 0...0), (0.1, 50...150), (0.5, 430...570), (1.0, 1_000...1_000)])
  func `applies to the given share of requests, the same ones for a seed`(
    probability: Double,
    expected: ClosedRange<Int>
  ) {
    for seed in UInt64(1)...5 {
      let runs = (1...2).map { _ in
        let plan = FaultPlan()
        _ = plan.add(Fault(kind: .reset, match: .init(), probability: probability, seed: seed))
        return (1...1_000).map { _ in plan.next { _ in true } != nil }
      }
      #expect(runs[0] == runs[1], "seed \(seed)")
      #expect(expected.contains(runs[0].count { $0 }), "seed \(seed)")
    }
  }
}
