// Longbox
// SPDX-License-Identifier: MIT

/// The fields of a page's `{{comic}}`, as plain text; empty where the page leaves one out.
public struct WikiComicFields: Equatable, Sendable {
  /// The comic's number, where the page gives one.
  public var number: Int?
  /// The day it appeared, in words.
  public var date: Text = .empty
  /// The title.
  public var title: Text = .empty
  /// The name of the picture's file.
  public var image: Text = .empty
  /// The alt text, which the wiki calls title text.
  public var titleText: Text = .empty

  init() {}

  init(_ call: WikiTemplateCall) {
    func plain(_ name: StaticString) -> Text {
      var writer = WikiDocumentWriter(limit: 1 << 16)
      var parser = WikiBlockParser(Array(call.named(name) ?? []))
      parser.parse(into: &writer)
      return WikiDocument(parts: writer.parts).plainText
    }
    number = Text((call.named("number") ?? []).filter { $0.isASCIIDigit }).number
    date = plain("date")
    title = plain("title")
    image = plain("image")
    titleText = plain("titletext")
  }
}
