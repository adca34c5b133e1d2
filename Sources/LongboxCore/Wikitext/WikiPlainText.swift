// Longbox
// SPDX-License-Identifier: MIT

/// Builds the plain text of parts.
struct WikiPlainText {
  /// Whether to omit asides too, such as captions.
  private let skipsRemarks: Bool
  /// Whether to write the addresses of the page's subpages behind the links to them.
  private let keepsSubpages: Bool
  /// Whether to omit the names of pictures, which say nothing to who searches.
  private let omitsPictures: Bool
  private var bytes: [UInt8] = []
  private var marks = 0
  private var open: [WikiElement] = []
  /// The start of the innermost raised or lowered text.
  private var shiftedStart: Int?
  /// Whether the bracket after an omitted name is still to come.
  private var isAfterPicture = false

  init(skipsRemarks: Bool = false, keepsSubpages: Bool = false, omitsPictures: Bool = false) {
    self.skipsRemarks = skipsRemarks
    self.keepsSubpages = keepsSubpages
    self.omitsPictures = omitsPictures
  }

  /// The number of bytes so far.
  var count: Int { bytes.count }

  mutating func add(_ part: WikiPart) {
    switch part {
    case .open(let element):
      open.append(element)
      if isSkipped(element) { marks += 1 }
      if element.isBlock { endLine() }
      if element == .raised || element == .lowered { shiftedStart = bytes.count }
    case .close:
      guard let element = open.popLast() else { return }
      if isSkipped(element) { marks -= 1 }
      if element.isBlock { endLine() }
      if element == .raised || element == .lowered, let start = shiftedStart {
        shift(from: start, isRaised: element == .raised)
        shiftedStart = nil
      }
      if keepsSubpages, case .address(let address) = element, WikiLink.isSubpage(address) {
        bytes += (" (" + address + ")").bytes
      }
    case .text(let text): if marks == 0, !isLinkNumber(text) { add(text) }
    case .lineBreak, .rule: endLine()
    case .reference: break
    }
  }

  /// Returns the text without white space at either end.
  mutating func finish() -> ArraySlice<UInt8> { bytes[...].trimmed() }

  /// Adds a text; of a picture only its description, not the name of its file.
  private mutating func add(_ text: Text) {
    if omitsPictures, case .address(let address) = open.last, WikiLink.isPicture(address) {
      if WikiLink.isFileName(text) {
        if bytes.last == UInt8(ascii: "[") {
          bytes.removeLast()
          isAfterPicture = true
        }
      } else {
        bytes += WikiLink.description(ofPicture: text)
      }
    } else {
      var rest = text.bytes
      if isAfterPicture, rest.first == UInt8(ascii: "]") {
        rest = rest.dropFirst()
        if bytes.last?.isASCIISpace ?? true, rest.first == 0x20 { rest = rest.dropFirst() }
      }
      isAfterPicture = false
      bytes += rest
    }
  }

  /// Whether a text is the number of a link without text, which is a mark as that of a note.
  private func isLinkNumber(_ text: Text) -> Bool {
    guard case .address = open.last else { return false }
    let inner = text.bytes.dropFirst().dropLast()
    return text.bytes.first == UInt8(ascii: "[") && text.bytes.last == UInt8(ascii: "]") && !inner.isEmpty
      && inner.allSatisfy { $0.isASCIIDigit }
  }

  /// Rewrites raised or lowered text, which would read as part of the number before it: `10³⁶`, `x^(n+1)`, `x_i`.
  private mutating func shift(from start: Int, isRaised: Bool) {
    let text = bytes[start...].trimmed()
    // Text such as "1st" or "™" reads well as it is, and so does raised text without anything before it.
    guard let before = bytes[..<start].last, !before.isASCIISpace, !text.isEmpty, text.count < 40,
      !Self.endings.contains(where: { $0.isEqual(to: text) })
    else { return }
    bytes = bytes[..<start] + WikiFormula.shifted(text, isRaised: isRaised)
  }

  /// The ends of ordinal numbers and other raised letters of words.
  private static let endings: [StaticString] = [
    "st", "nd", "rd", "th", "e", "o", "a", "er", "TM", "tm", "®", "™",
  ]

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
    case .emphasis, .strong, .underlined, .struck, .small, .code, .lowered, .raised, .mark, .comic, .address,
      .anchor:
      false
    case .paragraph, .heading, .bulletList, .numberedList, .item, .definitionList, .term, .definition,
      .indent,
      .preformatted, .quotation, .table, .caption, .row, .headerCell, .cell, .notes, .note:
      true
    }
  }
}

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
