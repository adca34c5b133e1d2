// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird

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
