// Longbox
// SPDX-License-Identifier: MIT

import Hummingbird
import LongboxCatalog
import LongboxCore
import LongboxPages

/// The parameters of a request to the API, read strictly: what is not understood is a ``Problem`` and not passed over, so
/// that a slip of the pen does not look like an answer.
struct APIQuery {
  private let fields: [(name: String, value: Text)]

  /// Reads the parameters.
  /// - Parameters:
  ///   - request: the request.
  ///   - names: what may be asked there, each once.
  init(_ request: Request, names: [String]) throws(Problem) {
    fields = FormFields(Text(string: request.uri.query ?? "")).all.map { ($0.name.description, $0.value) }
    for (place, field) in fields.enumerated() {
      guard names.contains(field.name) else {
        let known = names.isEmpty ? "There are none here." : "There are: \(names.joined(separator: ", "))."
        throw Problem(.badRequest, "There is no parameter of this name. \(known)", parameter: field.name)
      }
      guard !fields[..<place].contains(where: { $0.name == field.name }) else {
        throw Problem(.badRequest, "This parameter is given more than once.", parameter: field.name)
      }
    }
  }

  /// A text that must be there.
  /// - Parameters:
  ///   - name: the parameter.
  ///   - limit: the longest text, in Unicode code points.
  func text(_ name: String, atMost limit: Int) throws(Problem) -> Text {
    guard let value = try optionalText(name, atMost: limit) else {
      throw Problem(.badRequest, "This parameter is missing.", parameter: name)
    }
    return value
  }

  /// A text that need not be there.
  /// - Parameters:
  ///   - name: the parameter.
  ///   - limit: the longest text, in Unicode code points.
  func optionalText(_ name: String, atMost limit: Int) throws(Problem) -> Text? {
    guard let value = self[name] else { return nil }
    guard value.description.unicodeScalars.count <= limit else {
      throw Problem(.badRequest, "At most \(limit) characters are taken here.", parameter: name)
    }
    return value
  }

  /// A whole number.
  func number(_ name: String, in range: ClosedRange<Int>, default value: Int) throws(Problem) -> Int {
    guard let text = self[name] else { return value }
    guard let number = Self.number(text.description, in: range) else {
      throw Problem(
        .badRequest,
        "This has to be a whole number from \(range.lowerBound) to \(range.upperBound).",
        parameter: name
      )
    }
    return number
  }

  /// The number of a comic, which need not be there.
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

  /// A yes or no.
  func flag(_ name: String, default value: Bool) throws(Problem) -> Bool {
    switch self[name]?.description {
    case nil: return value
    case "1", "true": return true
    case "0", "false": return false
    default: throw Problem(.badRequest, "This has to be true, false, 1 or 0.", parameter: name)
    }
  }

  /// A place in the order of changes; the beginning where none is given.
  func place(_ name: String) throws(Problem) -> ChangePlace {
    guard let text = self[name] else { return .beginning }
    guard let place = ChangePlace(text.description) else {
      throw Problem(
        .badRequest,
        "This has to be a revision such as 120, or what an answer gave as next, such as 120.353.",
        parameter: name
      )
    }
    return place
  }

  /// The number that a text is, written as numbers are: digits alone, no zero before them.
  static func number(_ text: String, in range: ClosedRange<Int>) -> Int? {
    Int(text).flatMap { String($0) == text && range.contains($0) ? $0 : nil }
  }

  private subscript(name: String) -> Text? {
    fields.first { $0.name == name }?.value
  }
}
