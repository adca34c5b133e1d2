// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import Testing

@testable import LongboxServer

@Suite struct `A stored ZIP archive` {
  /// The expected bytes are from APPNOTE.TXT; 0xCBF43926 is the standard check value of CRC-32.
  @Test func `has exactly the bytes that the format specifies`() {
    var zip = StoredZip(date: CalendarDate(year: 2007, month: 12, day: 5))
    zip.add(Array("123456789".utf8), named: "a")
    let date: [UInt8] = [0x85, 0x37]
    let sum: [UInt8] = [0x26, 0x39, 0xF4, 0xCB]
    let size: [UInt8] = [9, 0, 0, 0]
    let facts = [10, 0, 0, 0, 0, 0, 0, 0] + date + sum + size + size + [1, 0, 0, 0]
    let local = [0x50, 0x4B, 3, 4] + facts + Array("a123456789".utf8)
    let directory =
      [0x50, 0x4B, 1, 2, 10, 0] + facts + [0, 0, 0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0] + [0x61]
    let end: [UInt8] =
      [0x50, 0x4B, 5, 6, 0, 0, 0, 0, 1, 0, 1, 0] + [UInt8(directory.count), 0, 0, 0] + [
        UInt8(local.count), 0, 0, 0,
      ]
      + [0, 0]
    #expect(zip.bytes == local + directory + end)
  }
}
