// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import LongboxPages

/// Whose comics an archive holds, and what others may do with them.
struct Series: Equatable, Sendable {
  var name: String
  var author: Feed.Author
  var rights: Rights
  /// What the identifiers of its feeds begin with, so that two series have none in common.
  var feedPrefix: String
  /// What the names of its comic books begin with.
  var filePrefix: String
  /// Whether its comics have pages on the web of their own.
  private var isOnTheWeb: Bool

  /// The real comics.
  static let xkcd = Series(
    name: "xkcd",
    author: Feed.Author(name: "Randall Munroe", address: "https://xkcd.com/"),
    rights: Rights(
      words: "xkcd by Randall Munroe, CC BY-NC 2.5",
      licence: Link.xkcdLicence.address.description
    ),
    feedPrefix: "",
    filePrefix: "xkcd-",
    isOnTheWeb: true
  )

  /// The project's own samples.
  static let samples = Series(
    name: "Longbox samples",
    author: Feed.Author(name: "Longbox"),
    rights: Rights(words: "Samples drawn for Longbox, MIT licence"),
    feedPrefix: "samples/",
    filePrefix: "longbox-sample-",
    isOnTheWeb: false
  )

  /// The page of a comic at its author's.
  func page(of number: Comic.Number) -> String? {
    isOnTheWeb ? Link.xkcd(number).address.description : nil
  }

  /// The page of explain xkcd about a comic.
  func explanationPage(of number: Comic.Number) -> String? {
    isOnTheWeb ? Link.explainXkcd(number).address.description : nil
  }
}

extension Archive {
  /// Whose comics it holds.
  var series: Series { isSampleBox ? .samples : .xkcd }
}
