// Longbox
// SPDX-License-Identifier: MIT

/// The fields of a page's `{{comic}}` as plain text; missing ones are empty.
public struct WikiComicFields: Equatable, Sendable {
  /// The comic's number, if the page has one.
  public var number: Int?
  /// The date of publication, in words.
  public var date: Text = .empty
  /// The title.
  public var title: Text = .empty
  /// The file name of the picture.
  public var image: Text = .empty
  /// The alt text, called title text in the wiki.
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
