// Longbox
// SPDX-License-Identifier: MIT

import CLibXML
import LongboxCore

/// Parses the HTML of a record's `news` into ``News``.
///
/// It was written by hand over many years and is not always well formed (2288 lacks a quotation mark), so
/// libxml2 parses and repairs it. An allow-list decides what is kept: text, line breaks, and addresses that
/// ``ComicRules/newsAddress(_:)`` accepts.
struct NewsHTML {
  /// The most bytes that are parsed; xkcd's longest news so far have 880.
  static let byteLimit = 16 << 10

  /// Elements whose content is not text.
  private static let unread: Set<String> = ["script", "style", "head", "template", "noscript", "iframe"]
  /// Elements on lines of their own.
  private static let blocks: Set<String> = [
    "div", "p", "li", "ul", "ol", "table", "tr", "blockquote", "h1", "h2", "h3",
  ]

  private var lines = NewsLines()

  /// Parses news; the result is empty if they are empty or too long.
  static func news(_ html: String) -> News {
    guard html.utf8.count <= byteLimit else { return .none }
    var reader = NewsHTML()
    LibXML.parse(Array(html.utf8)) { reader.read($0, address: .empty, isRaised: false) }
    return News(reader.lines.runs)
  }

  /// Reads sibling nodes with their content.
  private mutating func read(_ first: xmlNodePtr?, address: Text, isRaised: Bool) {
    var next = first
    while let node = next?.pointee {
      next = node.next
      switch node.type {
      case XML_TEXT_NODE, XML_CDATA_SECTION_NODE:
        guard let content = node.content else { continue }
        lines.append(String(cString: content), address: address, isRaised: isRaised)
      case XML_ELEMENT_NODE: readElement(node, address: address, isRaised: isRaised)
      default: continue
      }
    }
  }

  private mutating func readElement(_ node: xmlNode, address: Text, isRaised: Bool) {
    let name = node.name.map { String(cString: $0) } ?? ""
    guard !Self.unread.contains(name) else { return }
    let isBlock = name == "br" || Self.blocks.contains(name)
    if isBlock { lines.endLine() }
    let link = name == "a" ? Text(string: LibXML.attribute("href", of: node) ?? "") : .empty
    let target = name == "a" ? ComicRules.newsAddress(link) : address
    read(node.children, address: target, isRaised: isRaised || name == "sup")
    if isBlock { lines.endLine() }
  }
}

/// Joins runs of words as a browser does: white space becomes one space, or none at the ends of a line.
private struct NewsLines {
  private enum Gap {
    case none
    case space
    case line
  }

  /// Superscript digits, so that `10<sup>7</sup>` stays ten to the seventh without markup (1047).
  private static let raisedDigits: [Unicode.Scalar] = ["⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"]

  private(set) var runs: [News.Run] = []
  private var gap = Gap.none

  /// Adds words.
  /// - Parameters:
  ///   - text: the words; control characters are left out.
  ///   - address: the address that they link to, or empty.
  ///   - isRaised: whether digits become superscript.
  mutating func append(_ text: String, address: Text, isRaised: Bool) {
    var words = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == " " || ("\t"..."\r").contains(scalar) {
        if !words.isEmpty { add(words, address) }
        words.removeAll()
        if gap == .none { gap = .space }
      } else if scalar.properties.generalCategory != .control {
        let isDigit = ("0"..."9").contains(scalar)
        words.append(isRaised && isDigit ? Self.raisedDigits[Int(scalar.value) - 0x30] : scalar)
      }
    }
    if !words.isEmpty { add(words, address) }
  }

  mutating func endLine() {
    gap = .line
  }

  private mutating func add(_ words: String.UnicodeScalarView, _ address: Text) {
    let separator: Text =
      switch gap {
      case _ where runs.isEmpty: .empty
      case .none: .empty
      case .space: " "
      case .line: "\n"
      }
    gap = .none
    let words = Text(string: String(words))
    guard let last = runs.last else {
      runs = [News.Run(words, address: address)]
      return
    }
    if last.address == address {
      runs[runs.count - 1].words = last.words + separator + words
    } else if last.address.isEmpty {
      runs[runs.count - 1].words = last.words + separator
      runs.append(News.Run(words, address: address))
    } else if address.isEmpty || separator.isEmpty {
      runs.append(News.Run(separator + words, address: address))
    } else {
      // A space between two links belongs to neither.
      runs.append(News.Run(separator))
      runs.append(News.Run(words, address: address))
    }
  }
}

/// Finds the picture on a page of xkcd.com that shows the larger version of a comic.
///
/// Such a page is little more than the picture, in a link back to the comic.
struct LargerPicturePage {
  /// An `img` with its address and the area that it states, or 0.
  private struct Image {
    var address: String
    var area: Int
  }

  /// The most images that are looked at.
  private static let mostImages = 100

  private var images: [Image] = []

  /// The address of the largest picture on a page by its attributes, else of the first; nil if there is none.
  /// - Parameters:
  ///   - html: the page.
  ///   - base: its address at xkcd.com, for relative ones.
  static func picture(in html: [UInt8], at base: Text) -> Text? {
    guard let base = WebAddress(base.description) else { return nil }
    var page = LargerPicturePage()
    LibXML.parse(html) { page.read($0) }
    var largest: (address: Text, area: Int)?
    for image in page.images {
      guard let address = base.resolving(image.address), Self.isOfComic(address) else { continue }
      if image.area > largest?.area ?? -1 { largest = (Text(string: address.description), image.area) }
    }
    return largest?.address
  }

  /// Whether an address is that of a picture of xkcd, and not of the site's logo or buttons.
  private static func isOfComic(_ address: WebAddress) -> Bool {
    let isPicture = LargerVersion(Text(string: address.description), of: .first) == .picture
    return isPicture && !address.target.hasPrefix("/s/") && !address.target.hasPrefix("/static/")
  }

  /// Reads sibling nodes with their content.
  private mutating func read(_ first: xmlNodePtr?) {
    var next = first
    while let node = next?.pointee {
      next = node.next
      guard node.type == XML_ELEMENT_NODE, images.count < Self.mostImages else { continue }
      if node.name.map({ String(cString: $0) }) == "img",
        let address = LibXML.attribute("src", of: node)?.trimmed, !address.isEmpty
      {
        let sides = ["width", "height"].map { Int(LibXML.attribute($0, of: node) ?? "") ?? 0 }
        let area = sides.allSatisfy { (1...100_000).contains($0) } ? sides[0] * sides[1] : 0
        images.append(Image(address: address, area: area))
      }
      read(node.children)
    }
  }
}

extension String {
  fileprivate var trimmed: String { String(drop { $0.isWhitespace }.prefix { !$0.isWhitespace }) }
}

/// Parses HTML that may not be well formed: libxml2 repairs it, and limits its nesting to 256 levels.
private enum LibXML {
  /// Initialises libxml2's global tables once, before any thread uses them.
  private static let isReady: Bool = {
    xmlInitParser()
    return true
  }()

  /// Calls a closure with the root of a document, unless there is none.
  static func parse(_ html: [UInt8], _ read: (xmlNodePtr?) -> Void) {
    guard !html.isEmpty, isReady else { return }
    let options =
      HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
      | HTML_PARSE_NONET.rawValue
    let document = html.withUnsafeBytes { bytes in
      htmlReadMemory(
        bytes.bindMemory(to: CChar.self).baseAddress,
        Int32(bytes.count),
        nil,
        "UTF-8",
        Int32(options)
      )
    }
    guard let document else { return }
    defer { xmlFreeDoc(document) }
    read(xmlDocGetRootElement(document))
  }

  /// The value of an element's attribute.
  static func attribute(_ name: String, of node: xmlNode) -> String? {
    var next = node.properties
    while let attribute = next?.pointee {
      if String(cString: attribute.name) == name, let content = attribute.children?.pointee.content {
        return String(cString: content)
      }
      next = attribute.next
    }
    return nil
  }
}
