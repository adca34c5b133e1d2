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

/// Answers the requests that aren't answered from memory.
///
/// A request that the ``AccessGate`` admits goes to its endpoint. Errors become short texts, and every response gets the headers
/// that all responses have.
struct Dispatcher: HTTPResponder {
  typealias Request = Hummingbird.Request
  typealias Response = Hummingbird.Response

  let endpoints: EndpointTable

  private var accessGate: AccessGate { endpoints.accessGate }
  private var incidents: IncidentLog { endpoints.incidents }

  func respond(to request: Request, context: ServerContext) async throws -> Response {
    var context = context
    if let client = request.head.forwardedClient { context.setClient(client) }
    var response: Response
    do {
      response = try await admittedResponse(to: request, context)
      if request.method != .head {
        response = try endpoints.unsent.limit(response, for: context.client, on: context.eventLoop)
      }
    } catch {
      response = try errorResponse(error, to: request, context)
    }
    response.headers.guardBrowser()
    if response.status == .serviceUnavailable, response.headers[.retryAfter] == nil {
      response.headers[.retryAfter] = "5"
    }
    if let name = HTTPField.Name.requestID, let id = context.logger[metadataKey: "hb.request.id"]?.description
    {
      response.headers[name] = id
    }
    if accessGate.guards(request.head) { response.headers.keepFromSharedCaches() }
    if let basePath = request.head.namedBasePath { response.place(below: basePath) }
    return request.method == .head ? response.createHeadResponse() : response
  }

  // MARK: Access

  /// The endpoint's response if the request has access, with the session's cookie if that must be renewed; otherwise the
  /// way to get access.
  private func admittedResponse(to request: Request, _ context: ServerContext) async throws -> Response {
    if accessGate.mode == .loopback { return try await endpointResponse(to: request, context) }
    var decision = accessGate.decision(on: request.head, from: context.client)
    if case .signIn = decision, try await accessGate.learn(from: request.head) {
      decision = accessGate.decision(on: request.head, from: context.client)
    }
    switch decision {
    case .admitted(let credential):
      var context = context
      context.credential = credential
      context.isSignedInByProxy = request.head.isSignedInByProxy
      var response = try await endpointResponse(to: request, context)
      if let credential, let access = accessGate.access, access.isRenewalDue(credential),
        let secret = SessionCookie.secret(in: request.head)
      {
        // The response is right even if the disk is full.
        try? await access.noteRenewed(credential)
        response.setSession(secret, for: access.lifetime(of: credential), to: request)
      }
      return response
    case .redirected(let address):
      return Response(
        status: .temporaryRedirect,
        headers: [.location: address, .cacheControl: "no-store"]
      )
    case .refused(let status, let sentence): return Self.text(status, sentence)
    case .signIn(let isPage, let asksForKey):
      return signInResponse(to: request, isPage: isPage, asksForKey: asksForKey)
    }
  }

  private func signInResponse(to request: Request, isPage: Bool, asksForKey: Bool) -> Response {
    if RequestKind.isFrame(RequestKind.path(of: request.head)) {
      // The sign-in page can't be shown in a frame.
      return Self.text(
        .unauthorized,
        "Sign in to Longbox, or put an access key at the end of this address: ?key=… "
          + "Settings, Devices makes and revokes keys."
      )
    }
    if isPage, !asksForKey {
      let target = request.method == .get ? request.uri.string : "/"
      let query = target.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
      return Response(
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

  private static func text(_ status: HTTPResponse.Status, _ sentence: String) -> Response {
    Response(
      status: status,
      headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: sentence + "\n"))
    )
  }

  // MARK: Endpoint

  private func endpointResponse(to request: Request, _ context: ServerContext) async throws -> Response {
    guard let match = endpoints.match(request.head) else { throw HTTPError(.notFound) }
    guard let endpoint = match.endpoint else { return try methodNotAllowed(match) }
    var context = context
    context.coreContext.parameters = match.parameters
    context.maxUploadSize = match.bodyLimit
    return try await endpoint.handle(request, context)
  }

  private func methodNotAllowed(_ match: EndpointTable.Match) throws -> Response {
    switch match.entry.errorFormat {
    case .problem:
      throw Problem(.methodNotAllowed, "This address doesn’t support that method.", allowed: match.methods)
    case .statusOnly:
      return Response(
        status: .methodNotAllowed,
        headers: [.allow: match.methods.map(\.rawValue).joined(separator: ", ")]
      )
    }
  }

  // MARK: Errors

  /// The response to a request whose endpoint has thrown an error.
  /// - Throws: `HTTPParserError` if the client closed the connection within a body, so that no response can be sent.
  private func errorResponse(_ error: any Error, to request: Request, _ context: ServerContext) throws
    -> Response
  {
    switch error {
    case let error as ForeignForm:
      if let hosts = error.replacedHost { incidents.note(.replacedHost, hosts) }
      return try error.response(from: request, context: context)
    case let error as any HTTPResponseError:
      return try error.response(from: request, context: context)
    case let error as HTTPParserError:
      incidents.note(.cutOffBody, SecretAddress.withoutSecrets(request.uri.path))
      throw error
    case is CancellationError:
      return Response(status: .serviceUnavailable)
    case let error as TooManyNew:
      incidents.note(.newLibraries, "\(context.client)")
      return try error.httpError.response(from: request, context: context)
    case let error as StoreError:
      incidents.note(.notStored, error.description)
      return try error.httpError.response(from: request, context: context)
    case let error as CatalogError:
      if case .store(let fault) = error { incidents.note(.notStored, fault.description) }
      if case .failed(let reason) = error { log("\(reason)", request, context) }
      return try error.httpError.response(from: request, context: context)
    default:
      log("\(error)", request, context)
      return Response(status: .internalServerError)
    }
  }

  private func log(_ reason: String, _ request: Request, _ context: ServerContext) {
    context.logger.error(
      "A request failed.",
      metadata: ["path": "\(SecretAddress.withoutSecrets(request.uri.path))", "error": "\(reason)"]
    )
  }
}

extension Hummingbird.Response {
  /// Puts a base path that a proxy has named before the redirect's and the cookies' paths.
  ///
  /// Between the proxy and Longbox addresses are without it, so a cache there must look at the fields that name it. Home
  /// Assistant's ingress shows the site in a frame; pages beside the path have its origin, so they may do everything there anyway.
  fileprivate mutating func place(below basePath: BasePath) {
    basePath.add(to: &head)
    headers.allowOwnFrames()
    for name in ForwardedFields.prefixes { headers.append(HTTPField(name: .vary, value: name.rawName)) }
  }
}

extension Dispatcher: HTTPResponderBuilder {
  func buildResponder() -> Dispatcher { self }
}
