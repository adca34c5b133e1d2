// Longbox
// SPDX-License-Identifier: MIT

package import LongboxCore

/// A text with highlighted search terms.
package struct MarkedText {
  let text: Text
  /// The byte ranges to highlight, ascending and disjoint; invalid ones are skipped.
  let marks: [Range<Int>]

  /// Makes a text.
  package init(text: Text, marks: [Range<Int>]) {
    self.text = text
    self.marks = marks
  }

  @HTMLBuilder var html: HTML {
    for piece in pieces {
      if piece.isMarked {
        mark { piece.text }
      } else {
        piece.text
      }
    }
  }

  /// A part of the text.
  package struct Piece {
    /// The part.
    package var text: Text
    /// Whether it is highlighted.
    package var isMarked: Bool
  }

  /// The text, split at the highlights.
  package var pieces: [Piece] {
    var pieces: [Piece] = []
    var end = 0
    for mark in marks where mark.lowerBound >= end && mark.upperBound <= text.count && !mark.isEmpty {
      if mark.lowerBound > end { pieces.append(Piece(text: slice(end..<mark.lowerBound), isMarked: false)) }
      pieces.append(Piece(text: slice(mark), isMarked: true))
      end = mark.upperBound
    }
    if end < text.count { pieces.append(Piece(text: slice(end..<text.count), isMarked: false)) }
    return pieces
  }

  private func slice(_ range: Range<Int>) -> Text {
    let start = text.bytes.startIndex
    return Text(text.bytes[start + range.lowerBound..<start + range.upperBound])
  }
}
