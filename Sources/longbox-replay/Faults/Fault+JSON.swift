// Longbox
// SPDX-License-Identifier: MIT

extension Fault: Decodable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case kind, path, source, times, probability, seed, delay
    case status, retryAfter, body, after, offset, bytesPerSecond, location, number
  }

  /// The additional fields of each kind.
  private static let parameters: [String: [CodingKeys]] = [
    "delay": [], "status": [.status, .retryAfter, .body], "cut": [.after], "length": [.offset], "html": [],
    "drip": [.bytesPerSecond], "reset": [], "empty": [], "endless": [], "redirect": [.location, .status],
    "wrongNumber": [.number],
  ]

  /// Decodes the body of `/_replay/faults`; throws `DecodingError` for unknown, missing or invalid fields.
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let name = try container.decode(String.self, forKey: .kind)
    guard let own = Self.parameters[name] else {
      let kinds = Self.parameters.keys.sorted().joined(separator: ", ")
      throw container.wrong(.kind, "there is no '\(name)'; the kinds are \(kinds).")
    }
    let common: [CodingKeys] = [.kind, .path, .source, .times, .probability, .seed, .delay]
    try decoder.allow(only: (common + own).map(\.rawValue), for: "The fault '\(name)'")
    kind = try Self.kind(named: name, in: container)
    match = FaultMatch(
      path: try container.decodeIfPresent(String.self, forKey: .path),
      source: try container.decodeIfPresent(String.self, forKey: .source)
    )
    if let path = match.path, !path.hasPrefix("/"), !path.hasPrefix("*") {
      throw container.wrong(.path, "it begins with a slash or a star.")
    }
    times = try container.number(.times, in: 1...1_000_000)
    probability = try container.decodeIfPresent(Double.self, forKey: .probability) ?? 1
    guard (0...1).contains(probability) else { throw container.wrong(.probability, "it lies from 0 to 1.") }
    seed = try container.decodeIfPresent(UInt64.self, forKey: .seed) ?? 0
    let milliseconds = try container.number(.delay, in: 0...600_000)
    guard kind != .delay || milliseconds != nil else {
      throw container.wrong(.delay, "the fault 'delay' needs it, in milliseconds.")
    }
    delay = .milliseconds(milliseconds ?? 0)
  }

  private static func kind(
    named name: String,
    in container: KeyedDecodingContainer<CodingKeys>
  ) throws -> Kind {
    switch name {
    case "status":
      return .status(
        try container.required(.status, in: 200...599),
        retryAfter: try container.text(.retryAfter),
        body: try container.decodeIfPresent(String.self, forKey: .body)
      )
    case "cut": return .cut(after: try container.number(.after, in: 0...1_000_000_000))
    case "length":
      let offset = try container.required(.offset, in: -1_000_000...1_000_000)
      guard offset != 0 else { throw container.wrong(.offset, "0 would be the right length.") }
      return .length(offset: offset)
    case "html": return .html
    case "drip": return .drip(bytesPerSecond: try container.required(.bytesPerSecond, in: 1...1_000_000_000))
    case "reset": return .reset
    case "empty": return .empty
    case "endless": return .endless
    case "redirect":
      return .redirect(
        to: try container.text(.location),
        status: try container.number(.status, in: 300...399) ?? 302
      )
    case "wrongNumber": return .wrongNumber(try container.number(.number, in: -1_000_000...1_000_000))
    default: return .delay
    }
  }
}

extension KeyedDecodingContainer {
  fileprivate func wrong(_ key: Key, _ reason: String) -> DecodingError {
    .dataCorruptedError(forKey: key, in: self, debugDescription: reason)
  }

  fileprivate func number(_ key: Key, in range: ClosedRange<Int>) throws -> Int? {
    guard let number = try decodeIfPresent(Int.self, forKey: key) else { return nil }
    guard range.contains(number) else {
      throw wrong(key, "\(number) is not from \(range.lowerBound) to \(range.upperBound).")
    }
    return number
  }

  fileprivate func required(_ key: Key, in range: ClosedRange<Int>) throws -> Int {
    guard let number = try number(key, in: range) else {
      throw wrong(key, "it is needed, from \(range.lowerBound) to \(range.upperBound).")
    }
    return number
  }

  /// A header value: a number or printable ASCII.
  fileprivate func text(_ key: Key) throws -> String? {
    guard contains(key) else { return nil }
    if let number = try? decode(Int.self, forKey: key) { return String(number) }
    let text = try decode(String.self, forKey: key)
    guard text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
      throw wrong(key, "a header's value holds printable ASCII only.")
    }
    return text
  }
}
