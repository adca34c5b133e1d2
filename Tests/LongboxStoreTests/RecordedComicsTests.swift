// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import LongboxStore
import Testing
import TestSupport

@Suite(.enabled(if: RecordedData.isPresent, "needs the recorded data that LONGBOX_SHARED names"))
struct `All recorded comics` {
  let folder = TemporaryFolder()

  @Test func `are stored byte for byte, and stored again without a change`() async throws {
    let lines = try RecordedData.comicRecords()
    let records = try lines.map { line in
      let text = String(decoding: line, as: UTF8.self)
      let value = try #require(text.firstMatch(of: /"num": ?(\d+)/).flatMap { Int($0.output.1) })
      return FetchedRecord(number: try number(value), raw: Array(line), fetchedAt: testDate())
    }
    let store = try Store.open(folder.url)
    let clock = ContinuousClock()
    var counts = SaveCounts()
    let time = try await clock.measure { counts = try await store.comics.save(records) }
    print("imported \(records.count) records in \(time)")
    #expect(counts == SaveCounts(inserted: records.count))
    let revision = try await store.comics.revision()
    #expect(try await store.comics.save(records) == SaveCounts(unchanged: records.count))
    #expect(try await store.comics.revision() == revision)
    let stored = try await store.comics.comics(changedSince: .empty)
    #expect(stored.map(\.raw) == records.map(\.raw))
    #expect(try await store.audit().gaps.isEmpty)
  }
}
