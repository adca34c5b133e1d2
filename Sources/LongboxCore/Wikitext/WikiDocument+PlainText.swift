// Longbox
// SPDX-License-Identifier: MIT

extension WikiDocument {
  /// The document as plain text, with a line for each block, cell and item, for search and comparison.
  ///
  /// Editors' remarks, note marks and the names of pictures' files are omitted.
  public var plainText: Text {
    var plain = WikiPlainText(omitsPictures: true)
    for part in parts { plain.add(part) }
    return Text(plain.finish())
  }
}
