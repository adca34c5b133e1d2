// Longbox
// SPDX-License-Identifier: MIT

import Hummingbird
import LongboxCatalog
import LongboxCore
import LongboxPages

/// The query parameters of an API request.
///
/// Parsing is strict: an unknown parameter or an invalid value throws a ``Problem``, so that a typo is not
/// ignored.
struct APIQuery {
  private let fields: [(name: String, value: Text)]

  /// - Parameter names: the allowed parameters, each at most once.
  init(_ request: Request, names: [String]) throws(Problem) {
    fields = FormFields(Text(string: request.uri.query ?? "")).all.map { ($0.name.description, $0.value) }
    for (index, field) in fields.enumerated() {
      guard names.contains(field.name) else {
        let known = names.isEmpty ? "There are none here." : "There are: \(names.joined(separator: ", "))."
        throw Problem(.badRequest, "There is no parameter of this name. \(known)", parameter: field.name)
      }
      guard !fields[..<index].contains(where: { $0.name == field.name }) else {
        throw Problem(.badRequest, "This parameter is given more than once.", parameter: field.name)
      }
    }
  }

  /// A required text.
  /// - Parameter limit: the maximum length, in Unicode code points.
  func text(_ name: String, atMost limit: Int) throws(Problem) -> Text {
    guard let value = try optionalText(name, atMost: limit) else {
      throw Problem(.badRequest, "This parameter is missing.", parameter: name)
    }
    return value
  }

  /// An optional text.
  /// - Parameter limit: the maximum length, in Unicode code points.
  func optionalText(_ name: String, atMost limit: Int) throws(Problem) -> Text? {
    guard let value = self[name] else { return nil }
    guard value.description.unicodeScalars.count <= limit else {
      throw Problem(.badRequest, "Use at most \(limit) characters.", parameter: name)
    }
    return value
  }

  func number(_ name: String, in range: ClosedRange<Int>, default value: Int) throws(Problem) -> Int {
    try optionalNumber(name, in: range) ?? value
  }

  func optionalNumber(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
    guard let text = self[name] else { return nil }
    guard let number = Self.number(text.description, in: range) else {
      throw Problem(
        .badRequest,
        "This has to be a whole number from \(range.lowerBound) to \(range.upperBound).",
        parameter: name
      )
    }
    return number
  }

  /// An optional comic number.
  func comic(_ name: String) throws(Problem) -> Comic.Number? {
    guard let text = self[name] else { return nil }
    guard
      let number = Self.number(text.description, in: 1...Comic.Number.greatestValue).flatMap({
        Comic.Number($0)
      })
    else {
      throw Problem(.badRequest, "This has to be the number of a comic.", parameter: name)
    }
    return number
  }

  func flag(_ name: String, default value: Bool) throws(Problem) -> Bool {
    switch self[name]?.description {
    case nil: return value
    case "1", "true": return true
    case "0", "false": return false
    default: throw Problem(.badRequest, "This has to be true, false, 1 or 0.", parameter: name)
    }
  }

  /// A position in the order of changes; the beginning if the parameter is missing.
  func position(_ name: String) throws(Problem) -> ChangePosition {
    guard let text = self[name] else { return .beginning }
    guard let position = ChangePosition(text.description) else {
      throw Problem(
        .badRequest,
        "This has to be a revision such as 120, or what an answer gave as next, such as 120.353.",
        parameter: name
      )
    }
    return position
  }

  /// Parses a canonical number: digits only, without leading zeros.
  static func number(_ text: String, in range: ClosedRange<Int>) -> Int? {
    Int(text).flatMap { String($0) == text && range.contains($0) ? $0 : nil }
  }

  private subscript(name: String) -> Text? {
    fields.first { $0.name == name }?.value
  }
}
