// Longbox
// SPDX-License-Identifier: MIT

import Testing
import TestSupport

@testable import LongboxServer

@Suite(.timeLimit(.minutes(10))) struct `The log of floods` {
  @Test func `has the first rejection of a kind at once, and counts the others until a minute has passed`()
    async throws
  {
    let recorder = LogRecorder()
    let clock = PausedClock()
    let log = FloodLog(logger: recorder.logger, clock: clock)
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
    for flood in Flood.allCases { #expect(flood.sentence.hasSuffix("."), "\(flood)") }
    #expect(Set(Flood.allCases.map(\.sentence)).count == Flood.allCases.count)
  }
}
