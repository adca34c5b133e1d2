// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// A `multipart/form-data` form as browsers send it (RFC 7578; delimiters as in RFC 2046, section 5.1.1).
///
/// The parser is strict: it accepts only what browsers write, because only browsers submit our forms.
public struct MultipartForm: Equatable, Sendable {
  /// The maximum length of a boundary, in bytes.
  public static var boundaryLimit: Int { 70 }
  /// The maximum number of parts; our form has two.
  private static var partLimit: Int { 8 }
  /// The maximum length of a part's header, in bytes.
  private static var headerLimit: Int { 4096 }
  private static var lineEnd: [UInt8] { [0x0D, 0x0A] }

  private struct Part: Equatable {
    let name: Text
    let content: ArraySlice<UInt8>
  }

  private var parts: [Part] = []

  /// The content of a field.
  public subscript(name: Text) -> [UInt8]? { parts.first { $0.name == name }.map { Array($0.content) } }

  /// Parses a form that comes without its header: its first line has the boundary.
  /// - Throws: `ImportError.malformedForm`.
  public init(_ body: Text) throws(ImportError) {
    let line = body.bytes.prefix(2 + Self.boundaryLimit).prefix { $0 != 0x0D }
    guard line.count > 2 else { throw .malformedForm }
    try self.init(body, boundary: Text(line.dropFirst(2)))
  }

  /// Parses a form.
  /// - Throws: `ImportError.malformedForm`.
  public init(_ body: Text, boundary: Text) throws(ImportError) {
    let hyphens: [UInt8] = [UInt8(ascii: "-"), UInt8(ascii: "-")]
    let delimiter = hyphens + boundary.bytes
    var rest = body.bytes
    guard rest.starts(with: delimiter) else { throw .malformedForm }
    rest = rest.dropFirst(delimiter.count)
    // A delimiter is followed by a line end and a part, or by two hyphens at the end of the form.
    while !rest.starts(with: hyphens) {
      guard rest.starts(with: Self.lineEnd), parts.count < Self.partLimit else { throw .malformedForm }
      rest = rest.dropFirst(Self.lineEnd.count)
      guard
        let header = rest.prefix(Self.headerLimit).firstIndex(of: Self.lineEnd + Self.lineEnd, from: 0),
        let name = Self.name(in: rest[..<header]),
        let end = rest.firstIndex(of: Self.lineEnd + delimiter, from: header + 2 * Self.lineEnd.count),
        self[name] == nil
      else { throw .malformedForm }
      parts.append(Part(name: name, content: rest[(header + 2 * Self.lineEnd.count)..<end]))
      rest = rest[(end + Self.lineEnd.count + delimiter.count)...]
    }
  }

  /// The field's name from a part's header.
  private static func name(in header: ArraySlice<UInt8>) -> Text? {
    for line in header.split(whereSeparator: { $0 == 0x0D || $0 == 0x0A }) {
      let fields = line.split(separator: UInt8(ascii: ";")).map { $0.trimmed() }
      let kind = fields.first.map { Text($0.map { $0.lowercasedASCII }) }
      guard kind == "content-disposition: form-data" else { continue }
      let start: Text = "name=\""
      for field in fields
      where field.starts(with: start.bytes) && field.last == UInt8(ascii: "\"") && field.count > start.count {
        return Text(field.dropFirst(start.count).dropLast())
      }
    }
    return nil
  }
}
