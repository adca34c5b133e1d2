// Longbox
// SPDX-License-Identifier: MIT

/// Builds the plain text of parts.
struct WikiPlainText {
  /// Whether to omit asides too, such as captions.
  private let skipsRemarks: Bool
  private var bytes: [UInt8] = []
  private var marks = 0
  private var open: [WikiElement] = []

  init(skipsRemarks: Bool = false) {
    self.skipsRemarks = skipsRemarks
  }

  mutating func add(_ part: WikiPart) {
    switch part {
    case .open(let element):
      open.append(element)
      if isSkipped(element) { marks += 1 }
      if element.isBlock { endLine() }
    case .close:
      guard let element = open.popLast() else { return }
      if isSkipped(element) { marks -= 1 }
      if element.isBlock { endLine() }
    case .text(let text): if marks == 0 { bytes += text.bytes }
    case .lineBreak, .rule: endLine()
    case .reference: break
    }
  }

  /// Returns the text without white space at either end.
  mutating func finish() -> ArraySlice<UInt8> { bytes[...].trimmed() }

  private func isSkipped(_ element: WikiElement) -> Bool {
    element == .mark || skipsRemarks && element == .small
  }

  private mutating func endLine() {
    while let last = bytes.last, last == 0x20 { bytes.removeLast() }
    guard let last = bytes.last, last != 0x0A else { return }
    bytes.append(0x0A)
  }
}

extension WikiElement {
  /// Whether this element starts a new line.
  var isBlock: Bool {
    switch self {
    case .emphasis, .strong, .underlined, .struck, .small, .code, .lowered, .raised, .mark, .comic, .address:
      false
    case .paragraph, .heading, .bulletList, .numberedList, .item, .definitionList, .term, .definition,
      .indent,
      .preformatted, .quotation, .table, .caption, .row, .headerCell, .cell, .notes, .note:
      true
    }
  }
}
