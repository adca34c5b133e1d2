// Longbox
// SPDX-License-Identifier: MIT

/// What a part of a ``WikiDocument`` is: a block, or a run of text with a meaning.
public enum WikiElement: Equatable, Sendable {
  /// A paragraph of running text.
  case paragraph
  /// A heading; 2 is a section of the page, 3 to 6 stand below it.
  case heading(level: Int)
  /// A list whose order means nothing.
  case bulletList
  /// A list that is counted.
  case numberedList
  /// An item of either list.
  case item
  /// A list of terms and what they mean.
  case definitionList
  /// A term of such a list.
  case term
  /// What a term means.
  case definition
  /// Lines that are moved to the right, which is all that the wiki's `:` says by itself.
  case indent
  /// Lines whose spaces and ends matter.
  case preformatted
  /// Paragraphs of somebody else's.
  case quotation
  /// A table.
  case table
  /// What a table shows.
  case caption
  /// A row of a table.
  case row
  /// A cell that names a column or a row.
  case headerCell(columns: Int, rows: Int)
  /// A cell, with the number of columns and rows that it covers.
  case cell(columns: Int, rows: Int)
  /// The notes to a text, in the order of their numbers.
  case notes
  /// A note.
  case note

  /// Emphasis, by `''`.
  case emphasis
  /// Strong emphasis, by `'''`.
  case strong
  /// Text that is underlined.
  case underlined
  /// Text that holds no longer.
  case struck
  /// A side remark.
  case small
  /// Code, or what is typed.
  case code
  /// Text below the line.
  case lowered
  /// Text above the line.
  case raised
  /// A remark of the wiki's editors, such as "citation needed": no part of what the text says.
  case mark
  /// A link to a comic, by its number; 404 is the one that there is not.
  case comic(Int)
  /// A link to an http or https address.
  case address(Text)
}

/// One step through a ``WikiDocument``.
public enum WikiPart: Equatable, Sendable {
  /// A block or a run begins.
  case open(WikiElement)
  /// What was opened last ends.
  case close
  /// Text of the innermost element.
  case text(Text)
  /// The line ends, within a paragraph.
  case lineBreak
  /// A line across the page.
  case rule
  /// The mark of a note in the text, by the number of the note.
  case reference(Int)
}
