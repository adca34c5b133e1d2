// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxCore
import LongboxPages

/// Brings a reader's devices together: one shows a link, `/settings/move`, and another opens it, `/join`.
///
/// The link carries a code that works once and for ten minutes. Who joins gets the key of the shared library; the
/// library that the device had goes up in it, and its old key means the shared one from then on.
struct DeviceRoutes: Sendable {
  let pages: PageRoutes
  let codes: JoinCodes
  let now: @Sendable () -> Date

  private var libraries: Libraries { pages.libraries }

  /// Shows a new link.
  /// - Throws: `HTTPError` where the form comes from elsewhere or the request names no host. `StoreError`.
  func move(_ request: Hummingbird.Request) async throws -> Hummingbird.Response {
    guard request.method == .post else { return pages.redirectToSettings() }
    try SameOrigin.check(request)
    guard let address = PublicAddress(of: request) else {
      throw HTTPError(
        .badRequest,
        message: "The request does not say under which address this server was reached."
      )
    }
    let cookie = LibraryCookie(of: request) ?? LibraryCookie()
    let code = codes.offer(cookie, at: now())
    let link = address.link(to: "\(Link.join.address)?code=\(code)")
    let offer = MoveOffer(
      link: Text(string: link),
      symbol: QRCode.symbol(of: link),
      loopback: address.isLoopback ? Text(string: address.host) : nil
    )
    return try await pages.show(.move(offer), to: request, as: cookie)
  }

  /// Says what it means to join, or does it.
  /// - Throws: `HTTPError` where the form comes from elsewhere. `StoreError`.
  func join(_ request: Hummingbird.Request) async throws -> Hummingbird.Response {
    guard request.method == .post else {
      return try await preview(request.uri.queryParameters["code"].map(String.init) ?? "", request)
    }
    try SameOrigin.check(request)
    let form = FormFields(Text(try await request.body.collect(upTo: pages.formLimit).readableBytesView))
    return try await join(by: form["code"]?.description ?? "", request)
  }

  private func preview(_ code: String, _ request: Hummingbird.Request) async throws -> Hummingbird.Response {
    let mine = LibraryCookie(of: request)
    switch codes.library(for: code, at: now()) {
    case .failure(let refusal): return try await refuse(refusal, code, request)
    case .success(let theirs):
      let there = try await libraries.library(theirs.libraryName).favorites.count
      guard let mine else {
        return try await pages.show(
          .join(code: Text(string: code), .init(here: 0, there: there)),
          to: request,
          as: nil
        )
      }
      if try await libraries.areOne(mine.libraryName, theirs.libraryName) {
        return try await pages.show(.joined(favorites: there), to: request, as: mine)
      }
      let here = try await libraries.library(mine.libraryName).favorites.count
      return try await pages.show(
        .join(code: Text(string: code), .init(here: here, there: there)),
        to: request,
        as: mine
      )
    }
  }

  private func join(by code: String, _ request: Hummingbird.Request) async throws -> Hummingbird.Response {
    switch codes.redeem(code, at: now()) {
    case .failure(let refusal): return try await refuse(refusal, code, request)
    case .success(let theirs):
      do {
        let mine = LibraryCookie(of: request) ?? theirs
        let joined = try await libraries.join(mine.libraryName, to: theirs.libraryName)
        return try await pages.show(.joined(favorites: joined.favorites.count), to: request, as: theirs)
      } catch LibraryError.full {
        codes.restore(code)
        return try await pages.show(.joinRefused(.full), to: request, as: LibraryCookie(of: request))
      } catch {
        codes.restore(code)
        throw error
      }
    }
  }

  private func refuse(
    _ refusal: JoinCodes.Refusal,
    _ code: String,
    _ request: Hummingbird.Request
  ) async throws -> Hummingbird.Response {
    let mine = LibraryCookie(of: request)
    // Who has joined by it and loads the page again is told the same again.
    if let mine, refusal == .used, codes.libraryOfUsed(code) == mine {
      let shared = try await libraries.library(mine.libraryName)
      return try await pages.show(.joined(favorites: shared.favorites.count), to: request, as: mine)
    }
    var response = try await pages.show(.joinRefused(refusal.told), to: request, as: mine)
    if refusal == .tooManyTries { response.headers[.retryAfter] = "60" }
    return response
  }
}

extension JoinCodes.Refusal {
  fileprivate var told: JoinRefusal {
    switch self {
    case .unknown: .unknown
    case .expired: .expired
    case .used: .used
    case .tooManyTries: .tooManyTries
    }
  }
}
