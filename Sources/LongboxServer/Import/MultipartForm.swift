// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxReaders

/// A form with files, as browsers send it: `multipart/form-data` (RFC 7578; the delimiters are RFC 2046's, section 5.1.1).
///
/// The parser is strict: it takes what browsers write and nothing else, for there is nobody else to send our forms.
struct MultipartForm: Equatable {
  /// The most parts; our form has two.
  private static let partLimit = 8
  /// The longest header of a part, in bytes.
  private static let headerLimit = 4096

  private var parts: [String: ArraySlice<UInt8>] = [:]

  /// The content of the field with a name, or nothing where there is no such field.
  subscript(name: String) -> [UInt8]? { parts[name].map { Array($0) } }

  /// The boundary that a `Content-Type` names, or nothing where it is of another kind.
  static func boundary(in contentType: String?) -> String? {
    let fields = (contentType ?? "").split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
    guard fields.first?.lowercased() == "multipart/form-data" else { return nil }
    guard let field = fields.first(where: { $0.lowercased().hasPrefix("boundary=") }) else { return nil }
    var boundary = field.dropFirst("boundary=".count)
    if boundary.hasPrefix("\""), boundary.hasSuffix("\""), boundary.count > 1 {
      boundary = boundary.dropFirst().dropLast()
    }
    guard (1...70).contains(boundary.utf8.count), boundary.allSatisfy(\.isASCII) else { return nil }
    return String(boundary)
  }

  /// Reads a form.
  /// - Throws: `ImportError.malformedForm`.
  init(_ body: [UInt8], boundary: String) throws(ImportError) {
    let delimiter = Array("--\(boundary)".utf8)
    let lineEnd = Array("\r\n".utf8)
    var rest = body[...]
    guard rest.starts(with: delimiter) else { throw .malformedForm }
    rest = rest.dropFirst(delimiter.count)
    // After a delimiter comes the end of its line and a part, or two hyphens and the end of all.
    while !rest.starts(with: Array("--".utf8)) {
      guard rest.starts(with: lineEnd), parts.count < Self.partLimit else { throw .malformedForm }
      rest = rest.dropFirst(lineEnd.count)
      guard
        let header = rest.prefix(Self.headerLimit).firstRange(of: Array("\r\n\r\n".utf8)),
        let name = Self.name(in: String(decoding: rest[..<header.lowerBound], as: UTF8.self)),
        let end = rest[header.upperBound...].firstRange(of: lineEnd + delimiter),
        parts[name] == nil
      else { throw .malformedForm }
      parts[name] = rest[header.upperBound..<end.lowerBound]
      rest = rest[end.upperBound...]
    }
  }

  /// The field's name in a part's header.
  private static func name(in header: String) -> String? {
    for line in header.split(separator: "\r\n") {
      let fields = line.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
      guard fields.first?.lowercased() == "content-disposition: form-data" else { continue }
      for field in fields where field.hasPrefix("name=\"") && field.hasSuffix("\"") {
        return String(field.dropFirst("name=\"".count).dropLast())
      }
    }
    return nil
  }
}
