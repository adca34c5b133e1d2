// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxPages
import LongboxReaders
import NIOCore

/// Rejects requests without access, and renews the cookie of the others.
struct AccessMiddleware: RouterMiddleware {
  let gate: AccessGate

  func handle(
    _ request: Hummingbird.Request,
    context: ServerContext,
    next: (Hummingbird.Request, ServerContext) async throws -> Hummingbird.Response
  ) async throws -> Hummingbird.Response {
    if gate.mode == .loopback { return try await next(request, context) }
    var decision = gate.decision(on: request.head, from: context.client)
    if case .signIn = decision, try await gate.learn(from: request.head) {
      decision = gate.decision(on: request.head, from: context.client)
    }
    switch decision {
    case .admitted(let credential):
      var context = context
      context.credential = credential
      context.isSignedInByProxy = request.head.isSignedInByProxy
      var response = try await next(request, context)
      if let credential, let access = gate.access, access.isRenewalDue(credential),
        let secret = SessionCookie.secret(in: request.head)
      {
        // The response is right even if the disk is full.
        try? await access.noteRenewed(credential)
        response.setSession(secret, for: access.lifetime(of: credential), to: request)
      }
      return response
    case .redirected(let address):
      return Hummingbird.Response(
        status: .temporaryRedirect,
        headers: [.location: address, .cacheControl: "no-store"]
      )
    case .refused(let status, let sentence): return Self.text(status, sentence)
    case .signIn(let isPage, let asksForKey): return signIn(request, isPage: isPage, asksForKey: asksForKey)
    }
  }

  private func signIn(_ request: Hummingbird.Request, isPage: Bool, asksForKey: Bool) -> Hummingbird.Response
  {
    if isPage, !asksForKey {
      let target = request.method == .get ? request.uri.string : "/"
      let query = target.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
      return Hummingbird.Response(
        status: .seeOther,
        headers: [.location: "\(Link.signIn.address)?to=\(query)", .cacheControl: "no-store"]
      )
    }
    var response = Self.text(.unauthorized, "Sign in first, at /sign-in. Programs use an access key.")
    if asksForKey {
      response.headers[.wwwAuthenticate] =
        "Basic realm=\"Longbox: an access key as password\", charset=\"UTF-8\""
    }
    return response
  }

  private static func text(_ status: HTTPResponse.Status, _ sentence: String) -> Hummingbird.Response {
    Hummingbird.Response(
      status: status,
      headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: sentence + "\n"))
    )
  }
}
