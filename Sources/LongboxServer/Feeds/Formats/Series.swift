// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import LongboxPages

/// The series that an archive holds, with its author and licence.
struct Series: Equatable, Sendable {
  var name: String
  var author: Feed.Author
  var rights: Rights
  /// The prefix for the identifiers of its feeds, so that those of two series differ.
  var feedPrefix: String
  /// The prefix for the names of its comic books.
  var filePrefix: String
  /// Whether its comics have pages on xkcd.com.
  private var isOnTheWeb: Bool

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

  /// The comic's page on xkcd.com.
  func page(of number: Comic.Number) -> String? {
    isOnTheWeb ? Link.xkcd(number).address.description : nil
  }

  /// The comic's page on explain xkcd.
  func explanationPage(of number: Comic.Number) -> String? {
    isOnTheWeb ? Link.explainXkcd(number).address.description : nil
  }
}

extension Archive {
  var series: Series { isSampleBox ? .samples : .xkcd }
}
