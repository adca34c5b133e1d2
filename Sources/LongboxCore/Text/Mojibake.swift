// Longbox
// SPDX-License-Identifier: MIT

/// Repairs text whose UTF-8 was decoded as Latin-1, and Windows-1252 bytes that became C1 controls.
package enum Mojibake {
  /// The Windows-1252 characters 0x80 to 0x9F; 0 if undefined.
  private static let windows1252: [UInt32] = [
    0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0,
    0x017D, 0,
    0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,
    0x017E, 0x0178,
  ]

  /// Returns the repaired text, or the same bytes if there is nothing to repair.
  ///
  /// It decodes only runs that are strictly valid UTF-8: a lead in U+00C2...U+00F4 and continuations in
  /// U+0080...U+00BF. Decoding the whole text would break a correct accent ("Dalí", 2175) next to such a run.
  package static func repaired(_ text: Text) -> Text {
    // Any broken text contains 0xC2 or 0xC3 in UTF-8.
    guard text.bytes.contains(where: { $0 == 0xC2 || $0 == 0xC3 }) else { return text }
    let scalars = Array(String(decoding: text.bytes, as: UTF8.self).unicodeScalars)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var index = 0
    while index < scalars.count {
      if let (scalar, length) = decodedTwice(scalars[index...]) {
        append(scalar, to: &bytes)
        index += length
      } else {
        append(meaning(of: scalars[index]), to: &bytes)
        index += 1
      }
    }
    return Text(bytes)
  }

  /// The scalar whose UTF-8 is a run of Latin-1 characters, and the length of the run.
  private static func decodedTwice(_ run: ArraySlice<Unicode.Scalar>) -> (
    scalar: Unicode.Scalar, length: Int
  )? {
    guard let lead = run.first?.value, (0xC2...0xF4).contains(lead) else { return nil }
    let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    guard run.count >= length else { return nil }
    var value = lead & (lead < 0xE0 ? 0x1F : lead < 0xF0 ? 0x0F : 0x07)
    for continuation in run.prefix(length).dropFirst() {
      guard (0x80...0xBF).contains(continuation.value) else { return nil }
      value = value << 6 | (continuation.value & 0x3F)
    }
    let least: UInt32 = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000
    guard value >= least, let scalar = Unicode.Scalar(value) else { return nil }
    return (scalar, length)
  }

  private static func meaning(of scalar: Unicode.Scalar) -> Unicode.Scalar? {
    guard (0x80...0x9F).contains(scalar.value) else { return scalar }
    let value = windows1252[Int(scalar.value - 0x80)]
    return value == 0 ? nil : Unicode.Scalar(value)
  }

  private static func append(_ scalar: Unicode.Scalar?, to bytes: inout [UInt8]) {
    guard let scalar, let encoded = UTF8.encode(scalar) else { return }
    bytes.append(contentsOf: encoded)
  }
}
