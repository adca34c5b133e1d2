// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// A text in which the words that were looked for are marked.
struct MarkedText {
  let text: Text
  /// What to mark, in bytes from the start; in order and apart from each other.
  ///
  /// What lies outside is left alone.
  let marks: [Range<Int>]

  @HTMLBuilder var html: HTML {
    for piece in pieces {
      if piece.isMarked {
        mark { piece.text }
      } else {
        piece.text
      }
    }
  }

  private struct Piece {
    var text: Text
    var isMarked: Bool
  }

  private var pieces: [Piece] {
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
