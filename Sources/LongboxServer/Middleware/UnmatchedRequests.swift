// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird

/// Answers the requests for which the router found no endpoint.
///
/// Either the address has other methods, which is a 405, or one of the endpoints that catch all answers; the pages are such.
/// Hummingbird's router lets no parameter stand beside a catch-all, so those are not registered there.
struct UnmatchedRequests: RouterMiddleware {
  let endpoints: EndpointTable

  func handle(
    _ request: Request,
    context: ServerContext,
    next: (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    // The router sets it before any middleware runs, but only where it found an endpoint.
    guard context.endpointPath == nil else { return try await next(request, context) }
    let path = request.uri.path
    guard let entry = endpoints.entry(at: path) else { return try await next(request, context) }
    guard entry.endpoint(request.method, at: path) != nil else { return try refusal(by: entry, path) }
    guard let endpoint = endpoints.catchAll(at: path)?.endpoint(request.method, at: path) else {
      return try await next(request, context)
    }
    let response = try await endpoint.respond(to: request, context, bodyLimit: endpoints.bodyLimit)
    return request.method == .head ? response.createHeadResponse() : response
  }

  private func refusal(by entry: EndpointTable.Entry, _ path: String) throws -> Response {
    let methods = entry.methods(at: path)
    switch entry.errorFormat {
    case .problem:
      throw Problem(.methodNotAllowed, "Nothing can be changed here, only asked.", allowed: methods)
    case .statusOnly:
      return Response(
        status: .methodNotAllowed,
        headers: [.allow: methods.map(\.rawValue).joined(separator: ", ")]
      )
    }
  }
}
