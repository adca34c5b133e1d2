// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxReaders

/// A `multipart/form-data` form as browsers send it (RFC 7578; delimiters as in RFC 2046, section 5.1.1).
///
/// The parser is strict: it accepts only what browsers write, because only browsers submit our forms.
struct MultipartForm: Equatable {
  /// The maximum number of parts; our form has two.
  private static let partLimit = 8
  /// The maximum length of a part's header, in bytes.
  private static let headerLimit = 4096

  private var parts: [String: ArraySlice<UInt8>] = [:]

  /// The content of a field.
  subscript(name: String) -> [UInt8]? { parts[name].map { Array($0) } }

  /// The boundary in a `Content-Type`; nil for other media types.
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

  /// Parses a form.
  /// - Throws: `ImportError.malformedForm`.
  init(_ body: [UInt8], boundary: String) throws(ImportError) {
    let delimiter = Array("--\(boundary)".utf8)
    let lineEnd = Array("\r\n".utf8)
    var rest = body[...]
    guard rest.starts(with: delimiter) else { throw .malformedForm }
    rest = rest.dropFirst(delimiter.count)
    // A delimiter is followed by a line end and a part, or by two hyphens at the end of the form.
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

  /// The field's name from a part's header.
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
