// Longbox
// SPDX-License-Identifier: MIT

/// A key of any name, to detect unknown ones.
struct AnyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
