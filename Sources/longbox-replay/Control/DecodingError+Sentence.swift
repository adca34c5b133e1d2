// Longbox
// SPDX-License-Identifier: MIT

extension DecodingError {
  /// A sentence with the place and the reason of the error.
  /// - Parameter subject: the name of the JSON in the sentence, such as "The body".
  func sentence(about subject: String) -> String {
    switch self {
    case .keyNotFound(let key, let context):
      "\(Self.place(context.codingPath + [key], in: subject)) is missing."
    case .valueNotFound(_, let context):
      "\(Self.place(context.codingPath, in: subject)) is null."
    case .typeMismatch(let type, let context):
      "\(Self.place(context.codingPath, in: subject)) is not \(Self.name(of: type))."
    case .dataCorrupted(let context) where context.codingPath.isEmpty:
      "\(subject) is not JSON: \(context.debugDescription)"
    case .dataCorrupted(let context):
      "\(Self.place(context.codingPath, in: subject)): \(context.debugDescription)"
    @unknown default:
      "\(self)"
    }
  }

  private static func place(_ path: [any CodingKey], in subject: String) -> String {
    path.isEmpty ? subject : "'\(path.map(\.stringValue).joined(separator: "."))'"
  }

  private static func name(of type: any Any.Type) -> String {
    switch type {
    case is Int.Type, is UInt64.Type: "a whole number"
    case is Double.Type: "a number"
    case is String.Type: "a string"
    case is Bool.Type: "true or false"
    case is any DictionaryKind.Type: "an object"
    default: "of the right kind (\(type))"
    }
  }
}

/// Any dictionary: the type JSONDecoder reports when it expected an object.
private protocol DictionaryKind {}
extension Dictionary: DictionaryKind {}
