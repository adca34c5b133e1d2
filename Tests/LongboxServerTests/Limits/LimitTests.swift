// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TestSupport

@testable import LongboxServer

@Suite("Limits as settings") struct LimitTests {
  @Test func `have a variable for each`() {
    #expect(Limit.all.map(\.variable).contains("LONGBOX_LIMITS_CONNECTIONS_PER_ADDRESS"))
    #expect(Set(Limit.all.map(\.variable)).count == Limit.all.count)
  }

  @Test(arguments: Limit.all.map(\.name)) func `are read`(name: String) throws {
    let limit = try #require(Limit.all.first { $0.name == name })
    var limits = Limits()
    #expect(limit.set("6", in: &limits))
    #expect(limit.text(in: limits) == "6")
    #expect(limits != Limits())
    let mayBeZero = limit.expected.hasSuffix("at least 0")
    for wrong in ["", "-1", "x", "1e30", "nan"] + (mayBeZero ? [] : ["0"]) {
      #expect(!limit.set(wrong, in: &limits), "\(wrong)")
    }
    #expect(limit.text(in: limits) == "6")
  }

  @Test func `take fractions of a second`() throws {
    let limit = try #require(Limit.all.first { $0.name == "headTime" })
    var limits = Limits()
    #expect(limit.set("0.5", in: &limits))
    #expect(limits.headTime == .milliseconds(500))
    #expect(limit.text(in: limits) == "0.5")
  }

  /// The table of docs/limits.md has a row `| NAME | DEFAULT | …` for each.
  @Test func `are described with their defaults`() throws {
    let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
    let text = try String(contentsOf: root.appending(path: "docs/limits.md"), encoding: .utf8)
    for limit in Limit.all {
      let row = "| `\(limit.variable)` | \(limit.text(in: Limits())) "
      #expect(text.contains(row), "docs/limits.md lacks “\(row)”")
    }
  }
}

@Suite("The log of incidents", .timeLimit(.minutes(10))) struct IncidentLogTests {
  @Test func `has the first rejection of a kind at once, and counts the others until a minute has passed`()
    async throws
  {
    let recorder = LogRecorder()
    let clock = PausedClock()
    let log = IncidentLog(logger: recorder.logger, clock: clock)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { try? await log.run() }
      var asleep = clock.asleep.makeAsyncIterator()

      log.note(.slowHead, "10.0.0.1")
      log.note(.slowHead, "10.0.0.2")
      log.note(.slowHead, "10.0.0.3")
      log.note(.foreignHost, "evil\n\u{7f}.org")
      #expect(recorder.lines.map(\.count) == ["1", "1"])
      #expect(recorder.lines.last?.last == "evil??.org")

      // After a minute the number of the others.
      await asleep.next()
      clock.wake()
      await asleep.next()
      #expect(recorder.lines.dropFirst(2).map(\.count) == ["2"])
      #expect(recorder.lines.last?.last == "10.0.0.3")
      #expect(recorder.lines.last?.text.contains("LONGBOX_LIMITS_HEAD_TIME") == true)

      // A minute without any ends the count.
      clock.wake()
      await eventually {
        log.note(.slowHead, "10.0.0.4")
        return recorder.lines.count > 3
      }
      group.cancelAll()
    }
  }

  @Test func `has a sentence for each kind`() {
    for incident in Incident.allCases { #expect(incident.sentence.hasSuffix("."), "\(incident)") }
    #expect(Set(Incident.allCases.map(\.sentence)).count == Incident.allCases.count)
  }
}
