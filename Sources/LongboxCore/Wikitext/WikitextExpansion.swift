// Longbox
// SPDX-License-Identifier: MIT

/// The first pass over wikitext: removes comments, expands templates and marks plain text.
///
/// The output is wikitext without braces: lines, lists, tables, links, quotes and ``WikiMarker`` bytes. It
/// takes one pass with a bounded stack, so the time is linear and the depth bounded for any input. Unclosed
/// brackets are text.
struct WikitextExpansion {
  /// The maximum nesting of templates and links; deeper brackets are dropped.
  static var depthLimit: Int { 40 }
  /// The maximum number of notes on a page.
  static var noteLimit: Int { 999 }
  /// The maximum number of categories that are read.
  private static var categoryLimit: Int { 100 }

  /// An open bracket.
  struct Frame {
    enum Kind: Equatable {
      case page
      case template
      case parameter
      case link
      /// A note, with its name if it has one.
      case note(name: [UInt8])
    }

    let kind: Kind
    var bytes: [UInt8] = []
    /// The indices of the bars between arguments.
    var bars: [Int] = []
  }

  let source: [UInt8]
  var index = 0
  var frames = [Frame(kind: .page)]
  /// The notes of the page, expanded.
  var notes: [(name: [UInt8], content: [UInt8])] = []
  /// The number in the page's `{{comic}}`.
  var ownNumber: Int?
  /// The page's name, from the same template; empty if the page doesn't say it.
  var pageName: [UInt8] = []
  /// The year in which the page was written; nil if it isn't known.
  let year: Text?
  /// Whether the page is marked as incomplete.
  var isIncomplete = false
  /// The names of the page's categories, as they are written.
  private(set) var categories: [[UInt8]] = []
  /// The tags, by their index in ``verbatimTags``, known to have no end tag in the rest.
  var unclosedTags: UInt32 = 0
  /// The open HTML lists: `*` or `#`.
  var htmlLists: [UInt8] = []
  /// The open single brackets in this line, which distinguish `]]` from the end of a link.
  private var openBrackets = 0

  init(_ source: [UInt8], year: Text? = nil) {
    self.source = source
    self.year = year
    while index < source.count { step() }
    while frames.count > 1 { flush() }
  }

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

  /// The number of equal bytes from here.
  private func runLength(of byte: UInt8) -> Int {
    var end = index
    while end < source.count, source[end] == byte { end += 1 }
    return end - index
  }

  mutating func push(_ kind: Frame.Kind) {
    frames.append(Frame(kind: kind))
  }

  /// Appends the innermost frame's content to the frame around it, as text.
  mutating func flush() {
    let frame = frames.removeLast()
    switch frame.kind {
    case .link: top.bytes.append(UInt8(ascii: "["))
    case .template: top.bytes += WikiLink.literal("{{")
    case .parameter: top.bytes += WikiLink.literal("{{{")
    case .page, .note: break
    }
    top.bytes += frame.bytes
  }

  /// Flushes the unclosed frames inside the innermost frame of a kind; false if there is none.
  mutating func unwind(to isWanted: (Frame.Kind) -> Bool) -> Bool {
    guard let index = frames.lastIndex(where: { isWanted($0.kind) }) else { return false }
    while frames.count > index + 1 { flush() }
    return true
  }

  /// A link's address ends with its line; its caption may continue to the end of the paragraph.
  private mutating func endLine() {
    openBrackets = 0
    while top.kind == .link, top.bars.isEmpty || top.bytes.last == 0x0A { flush() }
  }

  private mutating func readOpeningBraces() {
    var run = runLength(of: UInt8(ascii: "{"))
    // `{{{` is a parameter, `{|` a table; with four or more braces the first two are a template.
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
    // The `}` of `|}` in a template's argument ends a table.
    if run == 1 { return take() }
    while run >= 2 {
      guard unwind(to: { $0 == .template || $0 == .parameter }) else {
        while index < source.count, source[index] == UInt8(ascii: "}") {
          top.bytes += WikiLink.literal("}")
          index += 1
        }
        return
      }
      // Three are the end of a template and a `}`, unless the innermost frame is a parameter.
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
      // The page has no caller, so parameters have their default values.
      if let fallback = call.arguments.first { top.bytes += fallback.whole }
    } else {
      // Three opening and two closing braces are a brace and a template.
      if frame.kind == .parameter { top.bytes.append(UInt8(ascii: "{")) }
      expand(call)
    }
  }

  /// Skips a space after removed markup at the start of a line, so that it doesn't indent the line.
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
      if let category = WikiLink.category(frame.bytes, bars: frame.bars),
        categories.count < Self.categoryLimit
      {
        categories.append(category)
      }
      if isAtStart, let caption = WikiLink.caption(frame.bytes, bars: frame.bars) {
        let picture = WikiLink.rewritten(frame.bytes, bars: frame.bars)
        appendParagraph((picture + [0x20] + caption)[...], .small)
      } else {
        top.bytes += WikiLink.rewritten(frame.bytes, bars: frame.bars)
      }
      skipIndent()
    } else {
      // Nested brackets, as in "[A sign [torn]]", or unmatched ones, which are text.
      openBrackets = max(0, openBrackets - 2)
      top.bytes += ("]]" as StaticString).utf8Bytes
      index += 2
    }
  }
}
