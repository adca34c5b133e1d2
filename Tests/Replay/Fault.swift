// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Synchronization

/// A deliberate failure: what happens, for which requests, and how often.
struct Fault: Sendable, Equatable {
  enum Kind: Sendable, Equatable {
    /// The normal response, after the fault's ``Fault/delay``.
    case delay
    /// Another status; the default body is a small HTML page.
    case status(Int, retryAfter: String?, body: String?)
    /// Closes the connection after a number of body bytes, by default half of the declared length.
    case cut(after: Int?)
    /// Declares a wrong Content-Length, off by `offset`. If it is too long, the connection closes at the end
    /// of the body. If it is too short, the surplus runs into the next response.
    case length(offset: Int)
    /// An HTML page with status 200, like that of a captive portal or a broken proxy.
    case html
    /// The normal response at a limited rate.
    case drip(bytesPerSecond: Int)
    /// Resets the connection before the response.
    case reset
    /// Status 200 without a body.
    case empty
    /// Status 200 with a body that ends only when the client disconnects.
    case endless
    /// A redirect; without a location, to the same address, which is a loop.
    case redirect(to: String?, status: Int)
    /// The normal record with a wrong `num`: the given one, or one too high.
    case wrongNumber(Int?)
  }

  let kind: Kind
  let match: FaultMatch
  /// The delay before the fault.
  var delay: Duration = .zero
  /// The number of requests affected; nil for all until the fault is deleted.
  var times: Int?
  /// The share of matching requests affected, chosen at random with ``seed``.
  var probability = 1.0
  var seed: UInt64 = 0
}

/// The requests that a fault affects; a missing criterion matches everything.
struct FaultMatch: Sendable, Equatable {
  /// A path pattern, in which `*` stands for any characters, including slashes.
  ///
  /// It is compared with the path as sent and the path inside the source. The query counts only if the
  /// pattern contains a question mark.
  var path: String?
  /// The name of a source: `xkcd`, `imgs`, `explain`, `itunes`, `artwork` or `wikipedia`.
  var source: String?

  /// Whether the fault affects a request; `sent` is the path as sent, `inner` the path inside the source.
  func matches(source name: String?, path sent: String, inner: String, query: String?) -> Bool {
    if let source, source != name { return false }
    guard let path else { return true }
    let suffix = path.contains("?") ? query.map { "?\($0)" } ?? "" : ""
    // To fnmatch, a question mark stands for any character.
    let pattern = path.replacing("?", with: "\\?").replacing("[", with: "\\[")
    return [sent, inner].contains { fnmatch(pattern, "\($0)\(suffix)", 0) == 0 }
  }
}

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

  /// The name of the kind in JSON.
  var name: String {
    let written = String(describing: kind)
    return String(written.prefix { $0.isLetter })
  }

  /// Decodes the body of `/_replay/faults`; throws `DecodingError` for unknown, missing or invalid fields.
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let name = try container.decode(String.self, forKey: .kind)
    guard let own = Self.parameters[name] else {
      let kinds = Self.parameters.keys.sorted().joined(separator: ", ")
      throw container.wrong(.kind, "there is no '\(name)'; the kinds are \(kinds).")
    }
    let common: [CodingKeys] = [.kind, .path, .source, .times, .probability, .seed, .delay]
    let fields = (common + own).map(\.rawValue)
    let unknown = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue).filter {
      !fields.contains($0)
    }
    if let unknown = unknown.min() {
      let reason = noSuchField("The fault '\(name)'", fields)
      throw DecodingError.dataCorrupted(
        .init(codingPath: [AnyKey(stringValue: unknown)], debugDescription: reason)
      )
    }
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

/// The active faults, in order of creation; at most one applies to a request, the first.
final class FaultPlan: Sendable {
  struct Entry: Sendable {
    let id: Int
    let fault: Fault
    /// The number of requests affected.
    var uses = 0
    fileprivate var generator: SeededGenerator

    /// Whether it has reached its number of requests.
    var isSpent: Bool { fault.times.map { uses >= $0 } ?? false }
  }

  private struct State {
    var entries: [Entry] = []
    var lastID = 0
  }

  private let state = Mutex(State())

  /// All faults since the last reset, including finished ones, so that tests can verify them.
  var entries: [Entry] { state.withLock { $0.entries } }

  func add(_ fault: Fault) -> Int {
    state.withLock { state in
      state.lastID += 1
      state.entries.append(
        Entry(id: state.lastID, fault: fault, generator: SeededGenerator(seed: fault.seed))
      )
      return state.lastID
    }
  }

  /// Removes a fault; false if the identifier is unknown.
  func remove(_ id: Int) -> Bool {
    state.withLock { state in
      let count = state.entries.count
      state.entries.removeAll { $0.id == id }
      return state.entries.count < count
    }
  }

  func clear() {
    state.withLock { $0.entries = [] }
  }

  /// The fault to apply to a request, if any; counts the request.
  func next(where matches: (FaultMatch) -> Bool) -> Entry? {
    state.withLock { state in
      for index in state.entries.indices {
        guard !state.entries[index].isSpent, matches(state.entries[index].fault.match) else { continue }
        let probability = state.entries[index].fault.probability
        guard
          probability >= 1 || Double.random(in: 0..<1, using: &state.entries[index].generator) < probability
        else { continue }
        state.entries[index].uses += 1
        return state.entries[index]
      }
      return nil
    }
  }
}

/// SplitMix64: a seed gives the same numbers on every machine.
struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
