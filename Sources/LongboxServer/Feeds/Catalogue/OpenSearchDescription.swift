// Longbox
// SPDX-License-Identifier: MIT

/// How the catalogue is searched, as OpenSearch 1.1 writes it.
struct OpenSearchDescription {
  static let mediaType = "application/opensearchdescription+xml"

  /// Where results are, with `{searchTerms}` in the place of the words.
  let template: String

  /// The document; its names are at most as long as OpenSearch has it: 16, 1024 and 48 characters.
  var bytes: [UInt8] {
    XML("OpenSearchDescription", [("xmlns", "http://a9.com/-/spec/opensearch/1.1/")]) {
      XML("ShortName", text: "Longbox")
      XML("Description", text: "Finds comics by their words, number or date.")
      XML("Url", [("type", CatalogueFeed.Kind.acquisition.mediaType), ("template", template)])
      XML("LongName", text: "Search the comics of this Longbox")
      XML("Language", text: "en")
      XML("OutputEncoding", text: "UTF-8")
      XML("InputEncoding", text: "UTF-8")
    }
    .document
  }
}
