// Longbox
// SPDX-License-Identifier: MIT

/// Code that reads untrusted bytes, and checks of what it makes of them.
///
/// Tests run each target on mutated seeds; `make fuzz` compiles the same code with libFuzzer.
enum FuzzTarget: String, CaseIterable, Sendable {
  /// A segment of the archive: records and search indexes.
  case archive
  /// A reader's library as a device stores it.
  case library
  /// The body of a sync and of its reply.
  case sync
  /// A search query.
  case query
  /// A page of explain xkcd.
  case wikitext
  /// The HTML of a record's news.
  case news
  /// An uploaded form with a file.
  case multipart
  /// An imported file.
  case document
  /// A form or a request's address.
  case forms
  /// An answer of the iTunes Store.
  case itunes
  /// An answer of explain xkcd or Wikipedia.
  case mediawiki
  /// A record of xkcd.
  case record
  /// Messages of the service worker to the WebAssembly module.
  case messages

  /// Reads an input.
  /// - Throws: `Finding` if the result is wrong; rejecting the input is right.
  func run(_ input: [UInt8]) throws(Finding) {
    switch self {
    case .archive: try ArchiveTarget.run(input)
    case .library: try LibraryTarget.library(input)
    case .sync: try LibraryTarget.sync(input)
    case .query: try QueryTarget.run(input)
    case .wikitext: try WikitextTarget.run(input)
    case .news: try SourceTarget.news(input)
    case .multipart: try UploadTarget.multipart(input)
    case .document: try UploadTarget.document(input)
    case .forms: try FormTarget.run(input)
    case .itunes: try SourceTarget.itunes(input)
    case .mediawiki: try SourceTarget.mediawiki(input)
    case .record: try SourceTarget.record(input)
    case .messages: try MessageTarget.run(input)
    }
  }
}

/// A wrong result.
struct Finding: Error, CustomStringConvertible {
  let description: String

  /// Checks a condition.
  /// - Throws: the finding with this description if the condition doesn't hold.
  static func check(_ isRight: Bool, _ description: @autoclosure () -> String) throws(Finding) {
    if !isRight { throw Finding(description: description()) }
  }
}
