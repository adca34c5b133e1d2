// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TestSupport

@testable import longbox_replay

@Suite struct RequestLogTests {
  private let time = SettableTime()

  private func log() -> RequestLog { RequestLog(now: { [time] in time.now }) }

  private func begin(_ log: RequestLog, _ path: String = "/1/") -> Int {
    log.begin(method: "GET", path: path, query: nil, source: "xkcd", userAgent: nil, isConditional: false)
  }

  @Test func `counts requests in progress`() {
    let log = log()
    let tickets = (1...3).map { _ in begin(log) }
    #expect(log.counts.inFlight == 3)
    for ticket in tickets { log.end(ticket, status: 200, bytes: 10, isComplete: true) }
    log.end(tickets[0], status: 200, bytes: 4, isComplete: false)
    log.end(begin(log), status: nil, bytes: 0, isComplete: false)
    #expect(log.counts.inFlight == 0)
    #expect(log.counts.peakInFlight == 3)
    #expect(log.counts.byStatus == ["200": 3, "none": 1])
    #expect(log.last(4).map(\.isComplete) == [false, true, true, false])
  }

  @Test func `measures the request rate`() {
    let log = log()
    for pause in [0.0, 0, 1, 0, 0, 0, 5, 20] {
      time.advance(by: pause)
      _ = begin(log)
    }
    #expect(log.counts.peakPerSecond == 4)
    #expect(log.rate(overLast: 10) == 0.1)
    #expect(log.rate(overLast: 25) == 6.0 / 25)
  }

  @Test func `keeps the last requests and counts all`() {
    let log = log()
    let total = RequestLog.capacity + 500
    for number in 0..<total { _ = begin(log, "/\(number)/") }
    let kept = log.last(.max)
    #expect(kept.count == RequestLog.capacity)
    #expect(kept.first?.path == "/500/")
    #expect(kept.last?.path == "/\(total - 1)/")
    #expect(log.counts.requests == total)
  }

  @Test func `ignores earlier requests after a reset`() {
    let log = log()
    let early = begin(log)
    log.reset()
    let late = begin(log)
    log.end(early, status: 200, bytes: 10, isComplete: true)
    #expect(log.counts.inFlight == 1)
    #expect(log.counts.byStatus.isEmpty)
    log.end(late, status: 200, bytes: 10, isComplete: true)
    #expect(log.counts.inFlight == 0)
    #expect(log.last(10).map(\.id) == [late])
  }
}
