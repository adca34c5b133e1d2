// Longbox
// SPDX-License-Identifier: MIT

@testable import LongboxCore

/// Libraries and syncs; the input is the part between header and checksum.
enum LibraryTarget {
  private static let now: UInt64 = 1_800_000_000_000

  static func library(_ input: [UInt8]) throws(Finding) {
    _ = try? Replica(decoding: input)
    if let undo = try? Undo(decoding: Envelope.seal(input, as: .undo)) {
      var library = Library()
      _ = try? library.apply(undo, at: Replica(device: 1).editTime(at: now))
    }
    guard var replica = try? Replica(decoding: Envelope.seal(input, as: .replica)) else { return }
    let encoded = replica.encoded()
    try Finding.check(encoded == Envelope.seal(input, as: .replica), "the encoding is not canonical")
    try Finding.check((try? Replica(decoding: encoded)) == replica, "decoding changes a library")
    view(replica.library)
    edit(&replica)
    try Finding.check(
      (try? Replica(decoding: replica.encoded())) == replica,
      "an edited library can't be read"
    )
  }

  static func sync(_ input: [UInt8]) throws(Finding) {
    if let request = try? SyncRequest(decoding: Envelope.seal(input, as: .request)) {
      try Finding.check(request.encoded() == Envelope.seal(input, as: .request), "a request is not canonical")
      var server = Replica(device: 2)
      edit(&server)
      guard let reply = try? server.library.answer(request, epoch: 2, at: now) else { return }
      try Finding.check((try? SyncReply(decoding: reply.encoded())) == reply, "a reply can't be read")
      try Finding.check(
        (try? Replica(decoding: server.encoded())) == server,
        "a merged library can't be read"
      )
      view(server.library)
    }
    if let reply = try? SyncReply(decoding: Envelope.seal(input, as: .reply)) {
      var device = Replica(device: 3)
      edit(&device)
      _ = device.request(nonce: reply.nonce)
      _ = try? device.receive(reply, at: now)
      try Finding.check(
        (try? Replica(decoding: device.encoded())) == device,
        "a synced library can't be read"
      )
      view(device.library)
    }
  }

  /// Reads everything that pages show of a library.
  static func view(_ library: Library) {
    _ = (library.favorites, library.place, library.savedAlbums, library.recentArtists, library.albumCountry)
    _ = library.articleLanguage
    let marks = library.readMarks
    for value in [1, 2, 403, 405, 3000] {
      guard let comic = Comic.Number(value) else { continue }
      _ = marks.isRead(comic)
    }
    _ = (library.value(of: .appearance), library.value(of: .keepComics), library.hasOnlyViews, library.digest)
  }

  static func edit(_ replica: inout Replica) {
    for value in [1, 353, 405] {
      guard let comic = Comic.Number(value) else { continue }
      let time = replica.editTime(at: now)
      _ = try? replica.library.addFavorite(comic, at: time)
      _ = try? replica.library.setNote("A note", ofFavorite: comic, at: time)
      _ = try? replica.library.setRead(value == 353, upTo: comic, at: time)
      try? replica.library.notePlace(comic, at: time)
    }
    if let comic = Comic.Number(1) {
      _ = try? replica.library.removeFavorite(comic, at: replica.editTime(at: now))
    }
  }
}
