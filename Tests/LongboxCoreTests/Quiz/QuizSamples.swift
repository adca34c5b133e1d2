// Longbox
// SPDX-License-Identifier: MIT

@testable import LongboxCore

/// Made-up albums with the irregularities of real ones.
enum QuizSamples {
  static let titles: [Text] = [
    "Paper Lanterns", "Salt & Honey", "Harbour (feat. The Gulls)", "Suite, Pt. 1", "Suite, Pt. 2", "Été",
    "Harbour (Live)", "紙の箱 (A Box of Paper)", "The Long Box", "99 Umbrellas",
  ]

  static let album = QuizAlbum(id: "7", name: "Cardboard", titles: titles)

  static let artist = QuizArtist(
    id: "3",
    name: "The Boxes",
    albums: [
      album,
      QuizAlbum(id: "8", name: "Tin", titles: ["Rust", "Hinge", "The Long Box (Demo)", "Lid"]),
      QuizAlbum(id: "9", name: "Wicker", titles: ["Willow", "Handle", "Picnic"]),
    ]
  )

  static func result(_ marks: [QuizMark], milliseconds: UInt64 = 60_000, isWhole: Bool = true) -> QuizResult {
    QuizResult(
      kind: .tracks,
      subject: album.id,
      name: album.name,
      digest: album.digest,
      marks: marks,
      milliseconds: milliseconds,
      isWhole: isWhole
    )
  }
}
