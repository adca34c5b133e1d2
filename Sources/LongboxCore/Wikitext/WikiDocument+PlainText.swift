// Longbox
// SPDX-License-Identifier: MIT

extension WikiDocument {
  /// The document as plain text, with a line for each block, cell and item, for search and comparison.
  ///
  /// Editors' remarks and note marks are omitted.
  public var plainText: Text {
    var plain = WikiPlainText()
    for part in parts { plain.add(part) }
    return Text(plain.finish())
  }
}
