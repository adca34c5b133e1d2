// Longbox
// SPDX-License-Identifier: MIT

import NIOCore
import Testing

@testable import LongboxServer

@Suite("Deadlines of a connection") struct ConnectionDeadlinesTests {
  /// A connection whose checks come once a second.
  private struct Bench {
    var deadlines: ConnectionDeadlines
    var now = NIODeadline.uptimeNanoseconds(0)
    var written = 0
    var waiting = 0
    var isReading = true

    init(_ change: (inout Limits) -> Void = { _ in }) {
      var limits = Limits()
      change(&limits)
      deadlines = ConnectionDeadlines(limits: limits, at: now)
    }

    /// The seconds until a deadline is missed, and which one.
    mutating func wait(_ seconds: Int = 300, each: (inout Bench) -> Void = { _ in }) -> (Int, MissedDeadline?)
    {
      for second in 1...seconds {
        now = now + .seconds(1)
        each(&self)
        let missed = deadlines.check(
          at: now,
          written: written,
          waiting: waiting,
          isReading: isReading,
          idleTime: .seconds(60)
        )
        if let missed { return (second, missed) }
      }
      return (seconds, nil)
    }

    mutating func receiveHead() {
      deadlines.bytesArrived(at: now)
      deadlines.headArrived(at: now)
    }

    mutating func receiveRequest() {
      receiveHead()
      deadlines.requestEnded()
    }
  }

  @Test func `end an idle one`() {
    var bench = Bench()
    #expect(bench.wait() == (60, .idle))
    bench = Bench()
    _ = bench.wait(50)
    bench.receiveRequest()
    bench.deadlines.responseEnded(at: bench.now)
    #expect(bench.wait() == (60, .idle))
  }

  @Test func `end one whose request takes too long, however often a byte comes`() {
    var bench = Bench()
    bench.deadlines.bytesArrived(at: bench.now)
    #expect(bench.wait { $0.deadlines.bytesArrived(at: $0.now) } == (10, .head))
  }

  @Test func `begin with the first byte of each request`() {
    var bench = Bench()
    for _ in 0..<3 {
      _ = bench.wait(50)
      bench.deadlines.bytesArrived(at: bench.now)
      _ = bench.wait(9)
      bench.receiveRequest()
      bench.deadlines.responseEnded(at: bench.now)
    }
    #expect(bench.deadlines.isIdle)
  }

  @Test func `end one whose body comes too slowly`() {
    var bench = Bench()
    bench.receiveHead()
    #expect(bench.wait { $0.deadlines.bodyArrived(1, at: $0.now) } == (10, .body))
    bench = Bench()
    bench.receiveHead()
    #expect(bench.wait { $0.deadlines.bodyArrived(2048, at: $0.now) } == (120, .body))
  }

  @Test func `don't count while the server doesn't read`() {
    var bench = Bench()
    bench.receiveHead()
    bench.isReading = false
    #expect(bench.wait().1 == nil)
    bench.isReading = true
    #expect(bench.wait() == (10, .body))
  }

  @Test func `let the server take its time`() {
    var bench = Bench()
    bench.receiveRequest()
    #expect(bench.wait().1 == nil)
    #expect(bench.deadlines.requestsInProgress == 1)
  }

  @Test func `end one that takes nothing of its response`() {
    var bench = Bench()
    bench.receiveRequest()
    bench.written = 100_000
    bench.waiting = 100_000
    #expect(bench.wait(100) { $0.waiting = max(50_000, $0.waiting - 1000) } == (80, .response))
  }

  @Test func `count what is taken even if as much is written`() {
    var bench = Bench()
    bench.receiveRequest()
    bench.waiting = 60_000
    #expect(bench.wait { $0.written += 60_000 }.1 == nil)
  }

  @Test func `count idle time from when all is taken`() {
    var bench = Bench()
    bench.receiveRequest()
    bench.written = 100_000
    bench.waiting = 100_000
    bench.deadlines.responseEnded(at: bench.now)
    _ = bench.wait(100) { $0.waiting -= 1000 }
    #expect(bench.waiting == 0)
    #expect(bench.wait().0 >= 59)
  }

  @Test func `survive a response to no request`() {
    var bench = Bench()
    bench.deadlines.responseEnded(at: bench.now)
    #expect(bench.deadlines.requestsInProgress == 0)
  }
}
