// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// The form that imports a library: a file, or the text of one.
public enum ImportForm {
  /// The submitted library.
  /// - Throws: `ImportError`.
  public static func document(in form: MultipartForm) throws(ImportError) -> LibraryDocument {
    let file = form["file"] ?? []
    let text = form["text"] ?? []
    guard file.isEmpty || isBlank(text) else { throw .bothFileAndText }
    let content = file.isEmpty ? text : file
    guard !isBlank(content) else { throw .nothing }
    return try ImportReader.document(in: content)
  }

  private static func isBlank(_ bytes: [UInt8]) -> Bool { bytes.allSatisfy { $0.isASCIISpace } }
}
