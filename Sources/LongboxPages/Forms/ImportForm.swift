// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// A rejected import: why, and what the reader pasted, which the form shows again.
public struct ImportRejection: Error, Equatable, Sendable {
  /// Why.
  public var error: ImportError
  /// The pasted text; empty if there is none, or too much to send back.
  public var text: Text

  /// Makes a rejection.
  public init(_ error: ImportError, text: Text = .empty) {
    self.error = error
    self.text = text
  }
}

/// The form that imports a library: a file, or the text of one.
public enum ImportForm {
  /// The maximum length of a text that is sent back, in bytes.
  private static var longestShownText: Int { 1 << 20 }

  /// The submitted library.
  /// - Parameters:
  ///   - body: the form, as `multipart/form-data`.
  ///   - boundary: the boundary of its header; nil to take it from the first line.
  /// - Throws: `ImportRejection`.
  public static func document(in body: Text, boundary: Text? = nil) throws(ImportRejection) -> LibraryDocument
  {
    var pasted = Text.empty
    do throws(ImportError) {
      let form: MultipartForm
      if let boundary {
        form = try MultipartForm(body, boundary: boundary)
      } else {
        form = try MultipartForm(body)
      }
      let file = form["file"] ?? []
      let text = form["text"] ?? []
      if text.count <= longestShownText, text[...].isUTF8 { pasted = Text(text) }
      guard file.isEmpty || isBlank(text) else { throw .bothFileAndText }
      let content = file.isEmpty ? text : file
      guard !isBlank(content) else { throw .nothing }
      return try ImportReader.document(in: content)
    } catch {
      throw ImportRejection(error, text: pasted)
    }
  }

  private static func isBlank(_ bytes: [UInt8]) -> Bool { bytes.allSatisfy { $0.isASCIISpace } }
}
