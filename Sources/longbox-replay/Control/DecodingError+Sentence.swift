// Longbox
// SPDX-License-Identifier: MIT

extension DecodingError {
  /// What was wrong, where, in a sentence for the person who wrote the JSON.
  var sentence: String {
    switch self {
    case .keyNotFound(let key, let context):
      "\(Self.place(context.codingPath + [key])) is missing."
    case .valueNotFound(_, let context):
      "\(Self.place(context.codingPath)) is null."
    case .typeMismatch(let type, let context):
      "\(Self.place(context.codingPath)) is not \(Self.name(of: type))."
    case .dataCorrupted(let context) where context.codingPath.isEmpty:
      "The body is not JSON: \(context.debugDescription)"
    case .dataCorrupted(let context):
      "\(Self.place(context.codingPath)): \(context.debugDescription)"
    @unknown default:
      "\(self)"
    }
  }

  private static func place(_ path: [any CodingKey]) -> String {
    path.isEmpty ? "The body" : "'\(path.map(\.stringValue).joined(separator: "."))'"
  }

  private static func name(of type: any Any.Type) -> String {
    switch type {
    case is Int.Type, is UInt64.Type: "a whole number"
    case is Double.Type: "a number"
    case is String.Type: "a string"
    case is Bool.Type: "true or false"
    default: "of the right kind (\(type))"
    }
  }
}
