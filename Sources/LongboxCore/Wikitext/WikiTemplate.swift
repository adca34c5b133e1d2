// Longbox
// SPDX-License-Identifier: MIT

/// The replacements for explain xkcd's templates.
///
/// An unknown template becomes its text.
private enum WikiTemplate {
  /// Removed: layout, or content that the page shows elsewhere.
  case nothing
  case discussion
  /// A banner that marks the page as incomplete.
  case incomplete
  /// A link to another wiki, with its prefix; the arguments are the page and optionally a text.
  case wiki(StaticString)
  /// A link to an address with this start and end and the first argument between; the second is its text.
  case site(start: StaticString, end: StaticString)
  /// An address and its text.
  case link
  /// A cited source: its title as a link.
  case citation
  /// An editors' remark.
  case mark(StaticString)
  /// One of the arguments.
  case argument(Int)
  /// "Yes" or "No", or the text in the argument.
  case answer(StaticString)
  /// "Yes" or "No" by the first letter of the argument.
  case yesOrNo
  /// A quotation with its source.
  case quotation
  case notice
  /// The title of a part that is collapsed on the wiki.
  case folded
  /// A character that wikitext can't contain literally.
  case character(StaticString)
  /// A part of a picture, as a table row.
  case picturePart
  /// A place in a comic's picture; the template's name is the comic's number.
  case place
  /// The template's name, in text about templates.
  case name
  /// The place of the page's notes.
  case notes
  case expression
  /// The year of the page, or a time that only the wiki knows.
  case time
  case year
  case pageName
  /// The address of a page, with a query.
  case pageAddress

  /// The replacement for a template by its name; nil if unknown.
  static func named(_ name: [UInt8]) -> WikiTemplate? {
    if !name.isEmpty, name.count <= 5, name.allSatisfy({ $0.isASCIIDigit }) { return .place }
    for row in table where row.name.isEqual(to: name) { return row.template }
    for row in computed where name.starts(with: row.start.utf8Bytes) { return row.template }
    // Settings of the page, and conditions.
    return name.contains(UInt8(ascii: ":")) || name.first == UInt8(ascii: "#") ? .nothing : nil
  }

  private static let computed: [(start: StaticString, template: WikiTemplate)] = [
    ("#expr:", .expression), ("#time:", .time), ("#timel:", .time), ("fullurl:", .pageAddress),
  ]

  /// Ordered by frequency on the wiki.
  private static let table: [(name: StaticString, template: WikiTemplate)] = [
    ("w", .wiki("w")),
    ("comic", .nothing),
    ("comic discussion", .discussion),
    ("citation needed", .mark("citation needed")),
    ("tvtropes", .wiki("tvtropes")),
    ("sort", .argument(2)),
    ("what if", .site(start: "https://what-if.xkcd.com/", end: "/")),
    ("wiktionary", .wiki("wikt")),
    ("cn", .mark("citation needed")),
    ("yes", .answer("Yes")),
    ("no", .answer("No")),
    ("circuit-diagram-part", .picturePart),
    ("actual citation needed", .mark("citation needed")),
    ("rw", .wiki("rw")),
    ("distinguish", .nothing),
    ("yesno", .yesOrNo),
    ("quote", .quotation),
    ("xkcd", .site(start: "https://xkcd.com/", end: "/")),
    ("incomplete", .incomplete),
    ("toc", .nothing),
    ("clear", .nothing),
    ("incomplete transcript", .incomplete),
    ("series", .nothing),
    ("spoiler", .notice),
    ("acn", .mark("citation needed")),
    ("cot", .folded),
    ("cob", .nothing),
    ("notice", .notice),
    ("dubious", .mark("dubious")),
    ("color", .argument(2)),
    ("=", .character("=")),
    ("!", .character("|")),
    ("!!", .character("||")),
    ("sic", .mark("sic")),
    ("asic", .mark("sic")),
    ("actual sic", .mark("sic")),
    ("abbr", .argument(1)),
    ("nowrap", .argument(1)),
    ("wikipedia", .wiki("w")),
    ("wikt", .wiki("wikt")),
    ("template", .name),
    ("tl", .name),
    ("link", .link),
    ("dict", .wiki("wikt")),
    ("cite web", .citation),
    ("cite journal", .citation),
    ("cite news", .citation),
    ("cite book", .citation),
    ("hs", .nothing),
    ("anchor", .nothing),
    ("reflist", .notes),
    ("main", .nothing),
    ("who", .mark("who?")),
    ("when", .mark("when?")),
    ("why", .mark("why?")),
    ("clarify", .mark("clarification needed")),
    ("currentyear", .year),
    ("localyear", .year),
    ("fullpagename", .pageName),
    ("pagename", .pageName),
    ("talk", .nothing),
  ]
}

extension WikitextExpansion {
  /// The maximum length of the title in a page's name in bytes, which a page may repeat often; as in MediaWiki.
  private static var titleLimit: Int { 255 }

  /// Appends a template's replacement to the frame around it.
  mutating func expand(_ call: WikiTemplateCall) {
    switch WikiTemplate.named(call.name) {
    case .nothing:
      if ownNumber == nil, ("comic" as StaticString).isEqual(to: call.name), let number = call.named("number")
      {
        ownNumber = Text(number).number
        let title = WikiPage.prefix(of: call.named("title") ?? [], Self.titleLimit).filter { $0 >= 0x20 }
        if !title.isEmpty { pageName = Array(number) + (": " as StaticString).utf8Bytes + title }
      }
    case .discussion: top.bytes += ("\n==Discussion==\n" as StaticString).utf8Bytes
    case .incomplete: isIncomplete = true
    case .wiki(let prefix): linkToWiki(prefix, call)
    case .site(let start, let end):
      linkToAddress(start.utf8Bytes + call.positional(1) + end.utf8Bytes, call.positional(2), call)
    case .link: linkToAddress(Array(call.positional(1)), call.positional(2), call)
    case .citation: cite(call)
    case .mark(let words):
      append(.mark, isStart: true)
      top.bytes += ("[" as StaticString).utf8Bytes + words.utf8Bytes + ("]" as StaticString).utf8Bytes
      append(.mark, isStart: false)
    case .argument(let position):
      let value = call.positional(position)
      top.bytes += value.isEmpty ? call.text : value
    case .answer(let word): top.bytes += call.text.isEmpty ? word.utf8Bytes[...] : call.text
    case .yesOrNo:
      let letter = call.positional(1).first?.lowercasedASCII
      let word: StaticString? = letter == UInt8(ascii: "y") ? "Yes" : letter == UInt8(ascii: "n") ? "No" : nil
      top.bytes += word?.utf8Bytes[...] ?? call.text
    case .quotation: quote(call)
    case .notice: appendParagraph(call.positional(1), .emphasis)
    case .folded: appendParagraph(call.positional(1), .strong)
    case .character(let character): top.bytes += character.utf8Bytes
    case .picturePart:
      top.bytes += ("\n|-\n|\n|" as StaticString).utf8Bytes
      top.bytes += (call.named("X") ?? []) + ("," as StaticString).utf8Bytes + (call.named("Y") ?? [])
      top.bytes += ("\n|" as StaticString).utf8Bytes + (call.named("text") ?? [])
    case .place: for argument in call.arguments { top.bytes += argument.value }
    case .name: top.bytes += WikiLink.literal("{{") + call.positional(1) + WikiLink.literal("}}")
    case .notes: appendNotes()
    case .expression: append(computed: WikiExpression.text(call.argument))
    case .time: append(computed: ("Y" as StaticString).isEqual(to: call.argument) ? year : nil)
    case .year: append(computed: year)
    case .pageName: append(computed: pageName.isEmpty ? nil : Text(pageName))
    case .pageAddress:
      let name = WikiLink.encoded(call.argument)
      let query = call.arguments.first?.whole ?? []
      top.bytes += WikiLink.pages.utf8Bytes + name
      if !query.isEmpty { top.bytes += [UInt8(ascii: "?")] + query.filter { !$0.isASCIISpace } }
    case nil: top.bytes += call.text
    }
  }

  /// Appends a computed value, or a sign for one that only the wiki can compute.
  private mutating func append(computed value: Text?) {
    top.bytes += (value ?? "…").bytes
  }

  /// Uses the whole argument, since a page's name may contain an equals sign.
  private mutating func linkToWiki(_ prefix: StaticString, _ call: WikiTemplateCall) {
    let page = call.positional(1).isEmpty ? call.arguments.first?.whole.trimmed() ?? [] : call.positional(1)
    guard !page.isEmpty else { return }
    let label = call.spaced(2)
    var link = prefix.utf8Bytes + [UInt8(ascii: ":")] + page.filter { $0 != 0x0A }
    let bar = link.count
    link.append(UInt8(ascii: "|"))
    link += label.trimmed().isEmpty ? page : label
    top.bytes += WikiLink.rewritten(link, bars: [bar])
  }

  private mutating func linkToAddress(
    _ address: [UInt8],
    _ label: ArraySlice<UInt8>,
    _ call: WikiTemplateCall
  ) {
    let text = label.isEmpty ? call.positional(1) : label
    guard WikiCode.isAddress(address[...]) else {
      top.bytes += text
      return
    }
    top.bytes += [UInt8(ascii: "[")] + address + [0x20] + text + [UInt8(ascii: "]")]
  }

  private mutating func cite(_ call: WikiTemplateCall) {
    let title = call.named("title") ?? call.text
    if let address = call.named("url"), WikiCode.isAddress(address), !title.isEmpty {
      top.bytes += [UInt8(ascii: "[")] + address + [0x20] + title + [UInt8(ascii: "]")]
    } else {
      top.bytes += title
    }
  }

  private mutating func quote(_ call: WikiTemplateCall) {
    let words = call.positional(1).isEmpty ? call.text : call.positional(1)
    top.bytes += [0x0A, WikiMarker.quotationStart, 0x0A]
    top.bytes += words
    let author = call.positional(2)
    if !author.isEmpty { top.bytes += ("\n\n— " as StaticString).utf8Bytes + author }
    top.bytes += [0x0A, WikiMarker.quotationEnd, 0x0A]
  }

  /// Appends a paragraph in one style.
  mutating func appendParagraph(_ words: ArraySlice<UInt8>, _ style: WikiStyle) {
    guard !words.isEmpty else { return }
    top.bytes += [0x0A, 0x0A]
    append(style, isStart: true)
    top.bytes += words
    append(style, isStart: false)
    top.bytes += [0x0A, 0x0A]
  }
}

/// A call of a template: its name and arguments.
struct WikiTemplateCall {
  struct Argument {
    /// The whole argument, with its name.
    let whole: ArraySlice<UInt8>
    /// The trimmed text before the first `=`; empty if there is none.
    let name: ArraySlice<UInt8>
    /// The trimmed text after it, or the whole if there is none.
    let value: ArraySlice<UInt8>

    init(_ whole: ArraySlice<UInt8>) {
      self.whole = whole
      let equals = whole.firstIndex(of: UInt8(ascii: "="))
      let name = equals.map { whole[..<$0].trimmed() } ?? []
      // An equals sign in prose or an address doesn't make a name.
      let isName = name.count <= 24 && name.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit }
      self.name = isName ? name : []
      value =
        isName && !name.isEmpty ? whole[((equals ?? whole.startIndex) + 1)...].trimmed() : whole.trimmed()
    }
  }

  /// The name in lower case, with spaces for underscores and without "template:".
  let name: [UInt8]
  /// What follows the first colon of the name, as in `{{#expr: 1 + 2}}`; empty if there is none.
  let argument: ArraySlice<UInt8>
  let arguments: [Argument]

  /// Parses a call.
  /// - Parameters:
  ///   - bytes: the expanded text between the braces.
  ///   - bars: the indices of the bars between arguments.
  init(_ bytes: [UInt8], bars: [Int]) {
    let head = bytes[..<(bars.first ?? bytes.count)].trimmed()
    var name = head.prefix(200).map { $0 == UInt8(ascii: "_") ? 0x20 : $0.lowercasedASCII }
    let prefix = ("template:" as StaticString).utf8Bytes
    if name.starts(with: prefix) { name.removeFirst(prefix.count) }
    self.name = name
    argument = head.firstIndex(of: UInt8(ascii: ":")).map { head[($0 + 1)...].trimmed() } ?? []
    arguments = bars.indices.map { index in
      let end = index + 1 < bars.count ? bars[index + 1] : bytes.count
      return Argument(bytes[(bars[index] + 1)..<end])
    }
  }

  func named(_ name: StaticString) -> ArraySlice<UInt8>? {
    // The last of several counts.
    arguments.last { name.isEqual(to: $0.name) }?.value
  }

  /// The argument at a position from 1, either unnamed or named with its number; empty if there is none.
  func positional(_ position: Int) -> ArraySlice<UInt8> {
    let number = Text(decimal: position).bytes
    if let named = arguments.last(where: { $0.name.elementsEqual(number) }) { return named.value }
    var count = 0
    for argument in arguments where argument.name.isEmpty {
      count += 1
      if count == position { return argument.value }
    }
    return []
  }

  /// The argument at a position, with the spaces around it if it has no name, as MediaWiki keeps them.
  func spaced(_ position: Int) -> ArraySlice<UInt8> {
    let value = positional(position)
    let whole = arguments.first { $0.value.startIndex == value.startIndex && $0.name.isEmpty }?.whole
    return value.isEmpty ? [] : whole ?? value
  }

  /// The last unnamed argument, or one with a common name for texts; empty if there is none.
  var text: ArraySlice<UInt8> {
    if let last = arguments.last(where: { $0.name.isEmpty && !$0.value.isEmpty }) { return last.value }
    for name in ["text", "1", "content", "quote", "title"] as [StaticString] {
      if let value = named(name), !value.isEmpty { return value }
    }
    return []
  }
}
