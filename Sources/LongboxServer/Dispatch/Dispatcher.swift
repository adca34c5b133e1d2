// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import Logging
import LongboxCatalog
import LongboxPages
import LongboxReaders
import LongboxStore
import NIOCore
import NIOHTTP1

/// Adds security headers and the request's id to every response, and turns errors into short texts.
///
/// Responses with status 503 also get `Retry-After`.
struct SecurityHeaders: RouterMiddleware {
  let floods: FloodLog

  func handle(
    _ request: Request,
    context: ServerContext,
    next: (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    var response: Response
    do {
      response = try await next(request, context)
    } catch let error as any HTTPResponseError {
      response = try error.response(from: request, context: context)
    } catch let error as HTTPParserError {
      // The client closed the connection within a body, so no response can be sent.
      floods.note(.cutOffBody, SecretAddress.withoutSecrets(request.uri.path))
      throw error
    } catch is CancellationError {
      response = Response(status: .serviceUnavailable)
    } catch let error as TooManyNew {
      floods.note(.newLibraries, "\(context.client)")
      response = try error.httpError.response(from: request, context: context)
    } catch let error as StoreError {
      floods.note(.notStored, error.description)
      response = try error.httpError.response(from: request, context: context)
    } catch let error as CatalogError {
      if case .store(let fault) = error { floods.note(.notStored, fault.description) }
      if case .failed(let reason) = error {
        context.logger.error(
          "A request failed.",
          metadata: ["path": "\(SecretAddress.withoutSecrets(request.uri.path))", "error": "\(reason)"]
        )
      }
      response = try error.httpError.response(from: request, context: context)
    } catch {
      context.logger.error(
        "A request failed.",
        metadata: ["path": "\(SecretAddress.withoutSecrets(request.uri.path))", "error": "\(error)"]
      )
      response = Response(status: .internalServerError)
    }
    response.headers.guardBrowser()
    if response.status == .serviceUnavailable, response.headers[.retryAfter] == nil {
      response.headers[.retryAfter] = "5"
    }
    if let name = HTTPField.Name.requestID, let id = context.logger[metadataKey: "hb.request.id"]?.description
    {
      response.headers[name] = id
    }
    return response
  }
}

extension HTTPField.Name {
  /// The header field with a request's id, as the logs have it.
  static let requestID = HTTPField.Name("X-Request-ID")
}

extension HTTPFields {
  /// Adds the security headers, unless they are present.
  mutating func guardBrowser() {
    guard self[.contentSecurityPolicy] == nil else { return }
    let isPage = self[.contentType].map { $0.hasPrefix("text/html") } ?? true
    append(contentsOf: isPage ? Self.guarding : Self.guardingFiles)
  }

  /// The headers of everything but pages: nothing may run in it; the other headers don't matter there.
  private static let guardingFiles: HTTPFields = [
    .contentSecurityPolicy: "default-src 'none'", .xContentTypeOptions: "nosniff",
  ]

  /// Allows only our own files, no inline script but one, forms only to us, and no framing.
  private static var policy: String { "\(policyInPage); frame-ancestors 'none'" }

  /// The policy as a page itself can have it; there, browsers ignore `frame-ancestors`.
  static var policyInPage: String {
    "default-src 'none'; script-src 'self' \(EarlyKeys.source); style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
      + "manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'"
  }

  private static var names: [(name: String, value: String)] {
    [
      ("Content-Security-Policy", policy),
      ("X-Content-Type-Options", "nosniff"),
      ("Referrer-Policy", "same-origin"),
      ("Cross-Origin-Opener-Policy", "same-origin"),
      ("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    ]
  }

  /// The headers of every page, also of responses made outside the router.
  static let guarding = HTTPFields(
    names.compactMap { name, value in HTTPField.Name(name).map { HTTPField(name: $0, value: value) } }
  )
}

/// Keeps the caches of proxies from storing responses that only signed-in readers may see.
///
/// It is outermost, so that it sees every response of the router; ``EndpointTable`` does the same with those from memory.
struct PrivateResponses: RouterMiddleware {
  let gate: AccessGate

  func handle(
    _ request: Request,
    context: ServerContext,
    next: (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    var response = try await next(request, context)
    if gate.guards(request.head) { response.headers.keepFromSharedCaches() }
    return response
  }
}

extension HTTPFields {
  /// Makes `Cache-Control` private, with its other directives, unless nothing stores the response anyway.
  mutating func keepFromSharedCaches() {
    let directives = (self[.cacheControl] ?? "").split(separator: ",").map { $0.drop { $0 == " " } }
    guard !directives.contains("private"), !directives.contains("no-store") else { return }
    self[.cacheControl] = (["private"] + directives.filter { $0 != "public" }).joined(separator: ", ")
  }
}

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

/// Answers the requests for which the router found no endpoint.
///
/// If the address has other methods, the answer is 405; otherwise a catch-all endpoint, such as the pages,
/// answers. Those are not registered with Hummingbird's router, which allows no parameter next to a
/// catch-all.
struct UnmatchedRequests: RouterMiddleware {
  let endpoints: EndpointTable

  func handle(
    _ request: Request,
    context: ServerContext,
    next: (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    // The router sets the path before any middleware runs, but only if it found an endpoint.
    guard context.endpointPath == nil else { return try await next(request, context) }
    let path = request.uri.path
    guard let entry = endpoints.entry(at: path) else { return try await next(request, context) }
    guard entry.endpoint(request.method, at: path) != nil else { return try rejection(by: entry, path) }
    guard let endpoint = endpoints.catchAll(at: path)?.endpoint(request.method, at: path) else {
      return try await next(request, context)
    }
    let response = try await endpoint.respond(to: request, context, bodyLimit: endpoints.bodyLimit)
    return request.method == .head ? response.createHeadResponse() : response
  }

  private func rejection(by entry: EndpointTable.Entry, _ path: String) throws -> Response {
    let methods = entry.methods(at: path)
    switch entry.errorFormat {
    case .problem:
      throw Problem(.methodNotAllowed, "This address doesn’t support that method.", allowed: methods)
    case .statusOnly:
      return Response(
        status: .methodNotAllowed,
        headers: [.allow: methods.map(\.rawValue).joined(separator: ", ")]
      )
    }
  }
}

/// Sets the client's address in the context of a request that a trusted proxy has passed on.
struct ForwardedClient: RouterMiddleware {
  func handle(
    _ request: Request,
    context: ServerContext,
    next: (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    guard let client = request.head.forwardedClient else { return try await next(request, context) }
    var context = context
    context.setClient(client)
    return try await next(request, context)
  }
}
