// Longbox
// SPDX-License-Identifier: MIT

import CZlib
import LongboxCore

/// A ZIP archive without compression (APPNOTE.TXT 6.3.10, method 0), because pictures are compressed already.
///
/// All sizes are below 4 GiB and names are ASCII, so it needs no extensions of the format.
struct StoredZip {
  private static let version: UInt16 = 10
  private static let method: UInt16 = 0

  private var body: [UInt8] = []
  private var directory: [UInt8] = []
  private var count: UInt16 = 0
  private let date: UInt16

  /// Creates an empty archive.
  /// - Parameter date: the date of all files; the format allows the years 1980 to 2107.
  init(date: CalendarDate?) {
    let year = min(max(date?.year ?? 1980, 1980), 2107)
    self.date = UInt16(year - 1980) << 9 | UInt16(date?.month ?? 1) << 5 | UInt16(date?.day ?? 1)
  }

  mutating func add(_ bytes: [UInt8], named name: String) {
    let sum = UInt32(
      truncatingIfNeeded: bytes.withUnsafeBufferPointer { crc32(0, $0.baseAddress, UInt32($0.count)) }
    )
    let offset = UInt32(body.count)
    var facts: [UInt8] = []
    // Version needed, flags, method, time, date; then the checksum, both sizes, and the lengths of name and
    // extra field.
    for word in [Self.version, 0, Self.method, 0, date] { facts.append(littleEndian: word) }
    for word in [sum, UInt32(bytes.count), UInt32(bytes.count)] { facts.append(littleEndian: word) }
    for word in [UInt16(name.utf8.count), 0] { facts.append(littleEndian: word) }

    body.append(littleEndian: 0x0403_4B50 as UInt32)
    body += facts + name.utf8 + bytes

    directory.append(littleEndian: 0x0201_4B50 as UInt32)
    directory.append(littleEndian: Self.version)
    directory += facts
    // Length of the comment, number of the disk, attributes.
    for word: UInt16 in [0, 0, 0] { directory.append(littleEndian: word) }
    for word in [0, offset] { directory.append(littleEndian: word) }
    directory += name.utf8
    count += 1
  }

  var bytes: [UInt8] {
    var end: [UInt8] = []
    end.append(littleEndian: 0x0605_4B50 as UInt32)
    for word in [0, 0, count, count] { end.append(littleEndian: word) }
    for word in [UInt32(directory.count), UInt32(body.count)] { end.append(littleEndian: word) }
    end.append(littleEndian: 0 as UInt16)
    return body + directory + end
  }
}

extension [UInt8] {
  fileprivate mutating func append(littleEndian word: some FixedWidthInteger) {
    for shift in stride(from: 0, to: word.bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: word >> shift))
    }
  }
}
