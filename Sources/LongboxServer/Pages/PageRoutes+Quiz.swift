// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird
import LongboxCatalog
import LongboxCore
import LongboxPages

extension PageRoutes {
  /// Shows a quiz, or plays a turn of it.
  ///
  /// The first result of a reader makes the library, and gives the cookie.
  /// - Parameters:
  ///   - album: the album.
  ///   - request: what was asked for.
  ///   - artist: finds the album's artist, where the quiz needs it.
  /// - Throws: `HTTPError` where a form comes from elsewhere or is too long, and `StoreError` where the disk fails.
  func play(
    _ album: QuizAlbum,
    _ request: Hummingbird.Request,
    artist: () async throws -> QuizArtist?
  ) async throws -> Hummingbird.Response {
    var question = question(request)
    if request.method == .post {
      try SameOrigin.check(request)
      question.method = .post
      question.body = Text(try await request.body.collect(upTo: formLimit).readableBytesView)
    }
    let cookie = LibraryCookie(of: request)
    question.isRemembered = cookie != nil
    let asked = question
    let visit = QuizVisit(
      album: album,
      artist: QuizVisit.needsArtist(asked) ? try await artist() : nil,
      at: asked
    )
    let snapshot = catalog.snapshot
    let shelf = shelf(of: snapshot)
    @Sendable func turn(_ library: inout Replica) -> LongboxPages.Response {
      respond(
        toQuiz: visit,
        in: asked,
        isSampleBox: snapshot.archive.isSampleBox,
        library: &library,
        shelf: shelf
      )
    }
    var owner = cookie
    var reply: LongboxPages.Response?
    if let cookie { reply = try await libraries.edit(cookie.libraryName, makes: false, turn) }
    if reply == nil {
      var stranger = Replica(device: 0)
      reply = turn(&stranger)
      owner = nil
      if !stranger.library.entries.isEmpty {
        let maker = cookie ?? LibraryCookie()
        reply = try await libraries.edit(maker.libraryName, makes: true, turn)
        owner = maker
      }
    }
    guard let reply else { throw HTTPError(.internalServerError) }
    var response = payload(reply, cacheControl: "private, no-store").response(to: request)
    if let owner {
      response.headers.append(.init(name: .setCookie, value: owner.header(isSecure: request.isSecure)))
    }
    return response
  }
}
