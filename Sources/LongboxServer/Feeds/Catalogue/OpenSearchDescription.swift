// Longbox
// SPDX-License-Identifier: MIT

/// The OpenSearch 1.1 description of the catalogue's search.
struct OpenSearchDescription {
  static let mediaType = "application/opensearchdescription+xml"

  /// The address of search results, with `{searchTerms}` as the placeholder.
  let template: String

  /// The document.
  ///
  /// OpenSearch limits the three names to 16, 1024 and 48 characters.
  var bytes: [UInt8] {
    XML("OpenSearchDescription", [("xmlns", "http://a9.com/-/spec/opensearch/1.1/")]) {
      XML("ShortName", text: "Longbox")
      XML("Description", text: "Finds comics by their words, number or date.")
      XML("Url", [("type", OPDSFeed.Kind.acquisition.mediaType), ("template", template)])
      XML("LongName", text: "Search the comics of this Longbox")
      XML("Language", text: "en")
      XML("OutputEncoding", text: "UTF-8")
      XML("InputEncoding", text: "UTF-8")
    }
    .document
  }
}
