// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import LongboxCatalog
import LongboxCore
import LongboxReaders

/// Finds the comics that addresses for other sites' pages name: the latest, a random one, or one by its number.
struct EmbeddedComics: Sendable {
  /// How many random comics are tried before there is none with a picture; about one in a thousand has none.
  private static let tries = 8

  let catalog: Catalog
  /// Maximum wait for xkcd.
  let timeout: Duration
  /// A random number of a range.
  var random: @Sendable (ClosedRange<Int>) -> Int = { Int.random(in: $0) }

  /// The newest comic, with its picture if that can be had.
  func latest(for client: ClientAddress) async throws(Problem) -> ArchivedComic {
    try await comic(try catalog.snapshot.archive.newest().number, for: client)
  }

  /// A random comic, with its picture.
  func random(for client: ClientAddress) async throws(Problem) -> ArchivedComic {
    let latest = try catalog.snapshot.archive.newest().number
    for _ in 0..<Self.tries {
      guard let number = Comic.Number(ordinal: random(1...latest.ordinal)) else { continue }
      let comic = try await comic(number, for: client)
      if !comic.pictureAddress.isEmpty { return comic }
    }
    throw Problem(.notFound, "No comic with a picture was found.")
  }

  /// The comic with a number, as an address spells it.
  func comic(_ text: String, for client: ClientAddress) async throws(Problem) -> ArchivedComic {
    let latest = try catalog.snapshot.archive.newest().number
    guard let number = Comic.Number(typed: text, upTo: latest) else {
      throw Problem(
        .notFound,
        "There is no such comic. The address ends with “latest”, “random”, or a number from 1 to \(latest.value)."
      )
    }
    return try await comic(number, for: client)
  }

  private func comic(_ number: Comic.Number, for client: ClientAddress) async throws(Problem) -> ArchivedComic
  {
    let comic = try await catalog.comic(number, within: timeout, for: client)
    // Without the picture, its size is unknown.
    try? await catalog.ensure(number, withPicture: true, within: timeout, for: client.description)
    return catalog.snapshot.archive.comic(number) ?? comic
  }
}
