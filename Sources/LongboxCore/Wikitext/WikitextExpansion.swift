// Longbox
// SPDX-License-Identifier: MIT

/// The first reading of wikitext: comments go, templates become their text, and what is no markup is marked so.
///
/// What comes out is wikitext without braces: lines, lists, tables, links, quotes and ``WikiMarker`` bytes. One pass
/// over the bytes with a bounded stack, so the time is linear and the depth bounded whatever the text is. What is
/// opened and never closed stays as its text, without its brackets.
struct WikitextExpansion {
  /// How deep templates and links may stand inside each other; beyond it, brackets are dropped.
  static var depthLimit: Int { 40 }
  /// The most notes of a page.
  static var noteLimit: Int { 999 }

  /// A bracket that was opened and waits to be closed.
  struct Frame {
    enum Kind: Equatable {
      case page
      case template
      case parameter
      case link
      /// A note, with its name where it has one.
      case note(name: [UInt8])
    }

    let kind: Kind
    var bytes: [UInt8] = []
    /// Where the bars stand that part the frame's arguments.
    var bars: [Int] = []
  }

  let source: [UInt8]
  var index = 0
  var frames = [Frame(kind: .page)]
  /// The notes of the page, expanded.
  var notes: [(name: [UInt8], content: [UInt8])] = []
  /// What the page's `{{comic}}` says.
  var fields = WikiComicFields()
  /// Whether the page says of itself that it is not complete.
  var isIncomplete = false
  /// The tags, by their place in ``verbatimTags``, that are known not to be closed in what is left.
  var unclosedTags: UInt32 = 0
  /// The kinds of the HTML lists that are open: `*` or `#`.
  var htmlLists: [UInt8] = []
  /// The single brackets open in this line, by which `]]` is told from the end of a link.
  private var openBrackets = 0

  /// Expands a text.
  init(_ source: [UInt8]) {
    self.source = source
    while index < source.count { step() }
    while frames.count > 1 { flush() }
  }

  /// The expanded page.
  var page: [UInt8] { frames[0].bytes }

  var top: Frame {
    get { frames[frames.count - 1] }
    _modify { yield &frames[frames.count - 1] }
  }

  private mutating func step() {
    let byte = source[index]
    switch byte {
    case UInt8(ascii: "<"): if !readTag() { take() }
    case UInt8(ascii: "{"): readOpeningBraces()
    case UInt8(ascii: "}"): readClosingBraces()
    case UInt8(ascii: "["): readOpeningBracket()
    case UInt8(ascii: "]"): readClosingBracket()
    case UInt8(ascii: "|"):
      if top.kind != .page { top.bars.append(top.bytes.count) }
      take()
    case 0x0A:
      endLine()
      take()
    default:
      if WikiMarker.isText(byte) { top.bytes.append(byte) }
      index += 1
    }
  }

  mutating func take() {
    top.bytes.append(source[index])
    index += 1
  }

  /// The number of equal bytes that begin here.
  func runLength(of byte: UInt8) -> Int {
    var end = index
    while end < source.count, source[end] == byte { end += 1 }
    return end - index
  }

  mutating func push(_ kind: Frame.Kind) {
    frames.append(Frame(kind: kind))
  }

  /// Gives what the innermost frame holds to the one around it, as text.
  mutating func flush() {
    let frame = frames.removeLast()
    if frame.kind == .link { top.bytes.append(UInt8(ascii: "[")) }
    top.bytes += frame.bytes
  }

  /// Flushes what stands unclosed inside the innermost frame of a kind; false where there is none.
  mutating func unwind(to isWanted: (Frame.Kind) -> Bool) -> Bool {
    guard let place = frames.lastIndex(where: { isWanted($0.kind) }) else { return false }
    while frames.count > place + 1 { flush() }
    return true
  }

  /// A link's address ends with its line; its caption may go on to the end of the paragraph.
  private mutating func endLine() {
    openBrackets = 0
    while top.kind == .link, top.bars.isEmpty || top.bytes.last == 0x0A { flush() }
  }
}

extension WikitextExpansion {
  private mutating func readOpeningBraces() {
    var run = runLength(of: UInt8(ascii: "{"))
    // `{{{` is a parameter, `{|` a table; of four and more braces the first two are a template.
    while run >= 2 {
      let isParameter = run == 3
      if frames.count < Self.depthLimit { push(isParameter ? .parameter : .template) }
      index += isParameter ? 3 : 2
      run -= isParameter ? 3 : 2
    }
    if run == 1 { take() }
  }

  private mutating func readClosingBraces() {
    var run = runLength(of: UInt8(ascii: "}"))
    // The `}` of `|}` in a template's argument is the end of a table, and three are `}` and the end of a template
    // where no parameter is open.
    if run == 1 { return take() }
    while run >= 2 {
      guard unwind(to: { $0 == .template || $0 == .parameter }) else {
        index += run
        return
      }
      let isParameter = top.kind == .parameter && run >= 3
      index += isParameter ? 3 : 2
      run -= isParameter ? 3 : 2
      closeTemplate(isParameter: isParameter)
    }
    if run == 1 { take() }
  }

  private mutating func closeTemplate(isParameter: Bool) {
    let frame = frames.removeLast()
    defer { skipIndent() }
    let call = WikiTemplateCall(frame.bytes, bars: frame.bars)
    if isParameter {
      // Nobody passes parameters to a page that is read by itself: what counts is the default.
      if let fallback = call.arguments.first { top.bytes += fallback.whole }
    } else {
      // Three braces and two are a brace and a template.
      if frame.kind == .parameter { top.bytes.append(UInt8(ascii: "{")) }
      expand(call)
    }
  }

  /// Where markup at the beginning of a line became nothing, the space after it does not indent the line.
  private mutating func skipIndent() {
    guard (top.bytes.last ?? 0x0A) == 0x0A else { return }
    while index < source.count, source[index] == 0x20 { index += 1 }
  }

  private mutating func readOpeningBracket() {
    if index + 1 < source.count, source[index + 1] == UInt8(ascii: "[") {
      if frames.count < Self.depthLimit { push(.link) }
      index += 2
    } else {
      openBrackets += 1
      take()
    }
  }

  private mutating func readClosingBracket() {
    guard index + 1 < source.count, source[index + 1] == UInt8(ascii: "]") else {
      openBrackets = max(0, openBrackets - 1)
      return take()
    }
    if top.kind == .link {
      index += 2
      let frame = frames.removeLast()
      let isAtStart = (top.bytes.last ?? 0x0A) == 0x0A
      if isAtStart, let caption = WikiLink.caption(frame.bytes, bars: frame.bars) {
        appendParagraph(caption, .small)
      } else {
        top.bytes += WikiLink.rewritten(frame.bytes, bars: frame.bars)
      }
      skipIndent()
    } else {
      // Brackets within brackets, as in "[A sign [torn]]"; what closes nothing goes.
      let closed = min(openBrackets, 2)
      for _ in 0..<closed { top.bytes.append(UInt8(ascii: "]")) }
      openBrackets -= closed
      index += 2
    }
  }
}
