// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxCore
import LongboxPages
import LongboxReaders
import LongboxStore
import NIOCore

/// Signs a device in at `/sign-in`, by the passphrase or a one-time code, and out at `/sign-out`.
struct SignInController: Controller {
  let reach: Reach
  let pages: any ServerPageRendering
  /// Logs wrong passphrases.
  let floods: FloodLog

  var endpoints: [Endpoint] {
    [
      .get("sign-in") { try await page($0, $1) },
      .post("sign-in", bodyLimit: 4096) { try await signIn($0, $1) },
      .post("sign-in/code") { try await code($0, $1) },
      .post("sign-out") { try await signOut($0, $1) },
    ]
  }

  private func page(_ request: Hummingbird.Request, _ context: ServerContext) async throws
    -> Hummingbird.Response
  {
    let target = Self.target(request.uri.queryParameters["to"].map(String.init))
    if reach.access == nil || context.credential != nil || request.head.isSignedInByProxy {
      return Self.seeOther(target)
    }
    var offer = SignInOffer(target: Text(string: target))
    offer.isOnMachine = RequestKind.isLocal(request.head, from: context.client)
    return try await show(offer, to: request)
  }

  /// A one-time code for the browser of this machine's user, which `longbox open` asks for.
  private func code(_ request: Hummingbird.Request, _ context: ServerContext) async throws
    -> Hummingbird.Response
  {
    guard let access = reach.access else {
      throw HTTPError(.notFound, message: "This server asks for no sign-in.")
    }
    guard reach.gate.isByMachineUser(request.head) else {
      throw HTTPError(.forbidden, message: "Only the user of this machine gets a code here.")
    }
    return Hummingbird.Response(
      status: .ok,
      headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: try await access.offerCode()))
    )
  }

  private func signIn(_ request: Hummingbird.Request, _ context: ServerContext) async throws
    -> Hummingbird.Response
  {
    let form = try await FormFields(of: request, context)
    let target = Self.target(form["to"]?.description)
    guard let access = reach.access else { return Self.seeOther(target) }
    let outcome = try await access.signIn(
      (form["passphrase"]?.description ?? "").trimmingCharacters(in: .whitespacesAndNewlines),
      from: context.client,
      device: BrowserName(request.headers[.userAgent]).text
    )
    var offer = SignInOffer(target: Text(string: target))
    offer.isOnMachine = RequestKind.isLocal(request.head, from: context.client)
    switch outcome {
    case .signedIn(let token):
      var response = Self.seeOther(target)
      response.setSession(token.text, to: request)
      return response
    case .wrong:
      floods.note(.wrongPassphrases, "\(context.client)")
      offer.problem = .wrong
      return try await show(offer, to: request)
    case .tooMany(let seconds):
      floods.note(.tooManyPassphrases, "\(context.client)")
      offer.problem = .tooMany(seconds: seconds)
      var response = try await show(offer, to: request)
      response.headers[.retryAfter] = "\(seconds)"
      return response
    }
  }

  private func signOut(_ request: Hummingbird.Request, _ context: ServerContext) async throws
    -> Hummingbird.Response
  {
    try SameOrigin.check(request)
    if let credential = context.credential { try await reach.access?.remove(credential.id) }
    var response = Self.seeOther(Link.signIn.address.description)
    response.setSession("", for: 0, to: request)
    return response
  }

  private func show(_ offer: SignInOffer, to request: Hummingbird.Request) async throws
    -> Hummingbird.Response
  {
    // A stranger must not see another reader's settings, so the page never uses a library.
    try await pages.show(.signIn(offer), to: request, as: nil)
  }

  private static func seeOther(_ target: String) -> Hummingbird.Response {
    Hummingbird.Response(status: .seeOther, headers: [.location: target, .cacheControl: "no-store"])
  }

  /// The page to open afterwards: always a path on this server, so a forged link can't lead elsewhere.
  static func target(_ text: String?) -> String {
    guard
      let text, text.hasPrefix("/"), !text.hasPrefix("//"), !text.hasPrefix("/sign-in"),
      text.utf8.count <= 2048,
      text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") })
    else { return "/" }
    return text
  }
}
