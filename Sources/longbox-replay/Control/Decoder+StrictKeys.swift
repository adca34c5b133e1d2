// Longbox
// SPDX-License-Identifier: MIT

extension Decoder {
  /// Throws on an unknown key: with `times` misspelled, a fault would never end.
  func allow(only allowed: some Collection<String>, for subject: String) throws {
    let unknown = try container(keyedBy: AnyKey.self).allKeys.filter { !allowed.contains($0.stringValue) }
    guard let first = unknown.min(by: { $0.stringValue < $1.stringValue }) else { return }
    let known = allowed.sorted().joined(separator: ", ")
    throw DecodingError.dataCorrupted(
      .init(
        codingPath: [first],
        debugDescription: "\(subject) has no such field; its fields are \(known)."
      )
    )
  }
}
