// Longbox
// SPDX-License-Identifier: MIT

import Testing

/// A strict parser of a page: elements must be closed in order, attributes quoted, ids unique.
///
/// It knows only what Longbox's renderer writes, and reports everything else as a fault.
struct Markup {
  private static let voids: Set<String> = ["img", "input", "link", "meta"]

  private(set) var faults: [String] = []
  /// The values of all `href`, `src` and `action` attributes, and the addresses in each `srcset`.
  private(set) var addresses: Set<String> = []
  private(set) var ids: Set<String> = []
  /// The ids that labels and descriptions refer to.
  private(set) var references: Set<String> = []
  private var open: [String] = []

  init(_ page: String) {
    guard page.hasPrefix("<!doctype html>") else {
      faults.append("no doctype")
      return
    }
    var rest = page.dropFirst("<!doctype html>".count)
    while let start = rest.firstIndex(of: "<") {
      if rest[..<start].contains(">") { faults.append("a bracket in text: \(rest[..<start])") }
      guard let end = rest[start...].firstIndex(of: ">") else {
        faults.append("an open tag at the end")
        return
      }
      read(tag: rest[rest.index(after: start)..<end])
      rest = rest[rest.index(after: end)...]
    }
    if !rest.isEmpty { faults.append("text at the end: \(rest)") }
    if !open.isEmpty { faults.append("never closed: \(open)") }
    let dangling = references.subtracting(ids)
    if !dangling.isEmpty { faults.append("names nothing: \(dangling)") }
  }

  private mutating func read(tag: Substring) {
    if tag.hasPrefix("/") {
      let name = String(tag.dropFirst())
      if open.popLast() != name { faults.append("closed out of order: \(name)") }
      return
    }
    let isClosed = tag.hasSuffix("/")
    let name = String(tag.prefix { $0.isLetter || $0.isNumber })
    if name.isEmpty { faults.append("no name: \(tag)") }
    read(attributes: tag.dropFirst(name.count).dropLast(isClosed ? 1 : 0), of: name)
    if !isClosed && !Self.voids.contains(name) { open.append(name) }
  }

  private mutating func read(attributes: Substring, of element: String) {
    var rest = attributes
    var names: Set<String> = []
    while !rest.isEmpty {
      guard rest.first == " " else {
        faults.append("no space before an attribute of \(element): \(rest)")
        return
      }
      rest.removeFirst()
      let name = String(rest.prefix { $0 != "=" && $0 != " " })
      rest = rest.dropFirst(name.count)
      if name.isEmpty || !names.insert(name).inserted { faults.append("\(name) twice on \(element)") }
      guard rest.first == "=" else { continue }
      rest.removeFirst()
      guard rest.first == "\"", let end = rest.dropFirst().firstIndex(of: "\"") else {
        faults.append("\(name) of \(element) is not quoted")
        return
      }
      take(name, String(rest[rest.index(after: rest.startIndex)..<end]))
      rest = rest[rest.index(after: end)...]
    }
  }

  private mutating func take(_ name: String, _ value: String) {
    switch name {
    case "href", "src", "action": addresses.insert(value)
    case "srcset":
      for picture in value.split(separator: ", ") { addresses.insert(String(picture.prefix { $0 != " " })) }
    case "id": if !ids.insert(value).inserted { faults.append("id \(value) twice") }
    case "aria-describedby", "aria-labelledby", "for": references.insert(value)
    case "style": faults.append("a style in the page: \(value)")
    case _ where name.hasPrefix("on"): faults.append("a script in the page: \(name)")
    default: break
    }
  }
}

struct MarkupTests {
  @Test(
    arguments: [
      "<p>", "<p><b></p></b>", "</p>", "<p>a > b</p>", "<p", "<p id=a></p>", #"<p id="a" id="b"></p>"#,
      #"<p id="a"></p><i id="a"></i>"#, #"<img alt="a"src="b">"#, #"<label for="nobody"></label>"#,
      #"<p style="color:red"></p>"#, #"<a onclick="x"></a>"#, "<>", "<p></p>tail",
    ]
  )
  func `the strict parser reports faults`(page: String) {
    #expect(!Markup("<!doctype html>" + page).faults.isEmpty)
  }

  @Test func `the strict parser accepts well-formed markup`() {
    let page =
      #"<!doctype html><p id="a" hidden>x <img alt="" src="/s"><a href="/h">y</a></p><svg><path d="M0 0"/></svg>"#
    #expect(Markup(page).faults == [])
    #expect(Markup(page).addresses == ["/s", "/h"])
  }
}
