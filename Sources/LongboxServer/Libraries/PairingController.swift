// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxCore
import LongboxPages
import LongboxReaders

/// Pairs a reader's devices: one shows a link at `/settings/move`, another opens it at `/join`.
///
/// The link has a code that works once, for ten minutes. The other device gets the key of the shared library.
/// Its own library is merged into it, and its old key opens the shared library from then on.
struct PairingController: Controller {
  let libraries: Libraries
  let pages: ServerPageRenderer
  let codes: any PairingCodes
  let site: SiteAddress
  /// Logs who tries too many codes, and pairings that could not be stored.
  let incidents: IncidentLog
  let now: @Sendable () -> Date

  var endpoints: [Endpoint] {
    [
      // This address only takes a form.
      .get("settings/move") { _, _ in .seeOther(.settings) },
      .post("settings/move") { try await move($0, $1) },
      .get("join") { try await preview($0, $1) },
      .post("join") { try await pair($0, $1) },
    ]
  }

  /// Shows a new link.
  /// - Throws: `HTTPError` if the form comes from another site, if the request names no host, or if the client has asked
  ///   for too many links; `StoreError`.
  private func move(
    _ request: Hummingbird.Request,
    _ context: ServerContext
  ) async throws -> Hummingbird.Response {
    try SameOrigin.check(request)
    guard let address = site.address(of: request.head) else {
      throw HTTPError(
        .badRequest,
        message: "The request does not say under which address this server was reached."
      )
    }
    let cookie = LibraryCookie(of: request) ?? LibraryCookie()
    let code: String
    do {
      code = try await codes.offer(cookie.key, from: context.client, at: now())
    } catch let error as TooManyNew {
      incidents.note(.newCodes, "\(context.client)")
      throw HTTPError(
        .tooManyRequests,
        headers: [.retryAfter: "\(error.retryAfter)"],
        message: "Too many links for other devices were made in your network. Try again in a minute."
      )
    }
    let link = address.link(to: "\(Link.pair.address)?code=\(code)")
    let offer = MoveOffer(
      link: Text(string: link),
      symbol: QRCode.symbol(of: link),
      loopback: address.isLoopback ? Text(string: address.host) : nil
    )
    return try await pages.show(.move(offer), to: request, as: cookie)
  }

  /// Pairs this device with the library of a code.
  /// - Throws: `HTTPError` if the form comes from another site; `StoreError`.
  private func pair(
    _ request: Hummingbird.Request,
    _ context: ServerContext
  ) async throws -> Hummingbird.Response {
    let form = try await FormFields(of: request, context)
    return try await pair(by: form["code"]?.description ?? "", request, context)
  }

  /// Asks for confirmation before pairing.
  private func preview(
    _ request: Hummingbird.Request,
    _ context: ServerContext
  ) async throws -> Hummingbird.Response {
    let code = request.uri.queryParameters["code"].map(String.init) ?? ""
    let mine = LibraryCookie(of: request)
    switch try await codes.key(for: code, from: context.client, at: now()) {
    case .failure(let rejection): return try await reject(rejection, code, request, context.client)
    case .success(let theirs):
      let there = try await libraries.library(theirs.libraryName).favorites.count
      guard let mine else {
        return try await pages.show(
          .pair(code: Text(string: code), .init(here: 0, there: there)),
          to: request,
          as: nil
        )
      }
      if try await libraries.areOne(mine.libraryName, theirs.libraryName) {
        return try await pages.show(.paired(favorites: there), to: request, as: mine)
      }
      let here = try await libraries.library(mine.libraryName).favorites.count
      return try await pages.show(
        .pair(code: Text(string: code), .init(here: here, there: there)),
        to: request,
        as: mine
      )
    }
  }

  private func pair(
    by code: String,
    _ request: Hummingbird.Request,
    _ context: ServerContext
  ) async throws -> Hummingbird.Response {
    let client = context.client
    switch try await codes.redeem(code, from: client, at: now()) {
    case .failure(let rejection): return try await reject(rejection, code, request, client)
    case .success(let theirs):
      do {
        let mine = LibraryCookie(of: request)?.key ?? theirs
        let merged = try await libraries.pair(
          mine.libraryName,
          with: theirs.libraryName,
          for: client,
          isSignedIn: context.isSignedIn
        )
        let cookie = LibraryCookie(key: theirs)
        return try await pages.show(.paired(favorites: merged.favorites.count), to: request, as: cookie)
      } catch LibraryError.full {
        try await codes.restore(code)
        return try await pages.show(.pairingRejected(.full), to: request, as: LibraryCookie(of: request))
      } catch {
        // The first error says more.
        try? await codes.restore(code)
        return try await pages.showNotStored(error, to: request, from: client, noting: incidents)
      }
    }
  }

  private func reject(
    _ rejection: PairingRejection,
    _ code: String,
    _ request: Hummingbird.Request,
    _ client: ClientAddress
  ) async throws -> Hummingbird.Response {
    let mine = LibraryCookie(of: request)
    // A device that was paired by this code and reloads the page sees the success page again.
    if let mine, rejection == .used, try await codes.keyOfUsed(code) == mine.key {
      let shared = try await libraries.library(mine.libraryName)
      return try await pages.show(.paired(favorites: shared.favorites.count), to: request, as: mine)
    }
    var response = try await pages.show(.pairingRejected(rejection), to: request, as: mine)
    if rejection == .tooManyTries {
      incidents.note(.unknownCodes, "\(client)")
      response.headers[.retryAfter] = "60"
    }
    return response
  }
}
