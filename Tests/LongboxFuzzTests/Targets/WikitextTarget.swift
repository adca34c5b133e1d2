// Longbox
// SPDX-License-Identifier: MIT

@testable import LongboxCore
@testable import LongboxPages

/// Wikitext, and the HTML that it becomes.
enum WikitextTarget {
  static func run(_ input: [UInt8]) throws(Finding) {
    let page = WikiPage(wikitext: Text(input))
    try Finding.check(page.lead.count <= 2 * WikiPage.Limits().lead + 8, "a lead is too long")
    try Finding.check(page.transcript.count <= WikiPage.Limits().transcript, "a transcript is too long")
    _ = page.explanation.plainText
    if let fault = Markup.fault(in: page.explanation.html.bytes) { throw Finding(description: fault) }
  }
}

/// A strict reader of the HTML that we write.
enum Markup {
  private static let void: Set<String> = ["br", "hr"]
  private static let allowed: Set<String> = [
    "a", "blockquote", "br", "caption", "code", "dd", "div", "dl", "dt", "em", "h3", "h4", "h5", "hr", "li",
    "ol", "p",
    "pre", "s", "small", "strong", "sub", "sup", "table", "td", "th", "tr", "u", "ul",
  ]

  /// What is wrong with HTML; nil if all elements are allowed, closed and well nested.
  static func fault(in bytes: [UInt8]) -> String? {
    var open: [String] = []
    var rest = bytes[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      guard let end = rest[start...].firstIndex(of: UInt8(ascii: ">")) else { return "a tag has no end" }
      var tag = rest[(start + 1)..<end]
      rest = rest[(end + 1)...]
      let isClosing = tag.first == UInt8(ascii: "/")
      if isClosing { tag = tag.dropFirst() }
      let name = String(decoding: tag.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self)
      guard allowed.contains(name) else { return "<\(name)> is not allowed" }
      let attributes = String(decoding: tag.dropFirst(name.utf8.count), as: UTF8.self)
      if attributes.contains("href=\"javascript:") || attributes.contains(" on") {
        return "<\(name)\(attributes)> may run a script"
      }
      if isClosing {
        guard open.popLast() == name else { return "</\(name)> closes another element" }
      } else if !void.contains(name) {
        open.append(name)
      }
    }
    return open.isEmpty ? nil : "<\(open.last ?? "")> stays open"
  }
}
