// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird

/// Refuses what an address has no answer to, such as a form where no forms go.
struct AllowedMethods<Context: RequestContext>: RouterMiddleware {
  func handle(
    _ request: Request,
    context: Context,
    next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    let methods = Route.methods(at: request.uri.path)
    if methods.contains(request.method) { return try await next(request, context) }
    switch Route(path: request.uri.path) {
    case .api, .feed:
      throw Problem(.methodNotAllowed, "Nothing can be changed here, only asked.", allowed: methods)
    default: break
    }
    return Response(
      status: .methodNotAllowed,
      headers: [.allow: methods.map(\.rawValue).joined(separator: ", ")]
    )
  }
}
