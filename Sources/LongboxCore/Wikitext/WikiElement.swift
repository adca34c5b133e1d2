// Longbox
// SPDX-License-Identifier: MIT

/// The type of a part of a ``WikiDocument``: a block or a run of text.
public enum WikiElement: Equatable, Sendable {
  /// A paragraph.
  case paragraph
  /// A heading; level 2 is a section of the page, 3 to 6 are below it.
  case heading(level: Int)
  /// An unordered list.
  case bulletList
  /// A numbered list.
  case numberedList
  /// An item of either list.
  case item
  /// A list of terms and definitions.
  case definitionList
  /// A term.
  case term
  /// A definition.
  case definition
  /// Indented lines, from the wiki's `:`.
  case indent
  /// Preformatted lines.
  case preformatted
  /// A block quotation.
  case quotation
  /// A table.
  case table
  /// The caption of a table.
  case caption
  /// A row of a table.
  case row
  /// A header cell, with the number of columns and rows that it spans.
  case headerCell(columns: Int, rows: Int)
  /// A cell, with the number of columns and rows that it spans.
  case cell(columns: Int, rows: Int)
  /// The notes to a text, in order of their numbers.
  case notes
  /// A note.
  case note

  /// Emphasis, by `''`.
  case emphasis
  /// Strong emphasis, by `'''`.
  case strong
  /// Underlined text.
  case underlined
  /// Struck-out text.
  case struck
  /// Small text, an aside.
  case small
  /// Code.
  case code
  /// Subscript.
  case lowered
  /// Superscript.
  case raised
  /// An editors' remark, such as "citation needed", which is not part of the text.
  case mark
  /// A link to a comic by its number; includes 404, which doesn't exist.
  case comic(Int)
  /// A link to an http or https address.
  case address(Text)
  /// A link to a heading of this page by its text, or to another anchor by its name.
  case anchor(Text)
}

/// A step of iterating over a ``WikiDocument``.
public enum WikiPart: Equatable, Sendable {
  /// An element begins.
  case open(WikiElement)
  /// The innermost element ends.
  case close
  /// Text of the innermost element.
  case text(Text)
  /// A line break within a paragraph.
  case lineBreak
  /// A horizontal rule.
  case rule
  /// The mark of a note, with the note's number.
  case reference(Int)
}
