// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird
import LongboxCore
import LongboxPages

/// Refuses what is neither reading nor sending a form to where forms go.
struct AllowedMethods<Context: RequestContext>: RouterMiddleware {
  func handle(
    _ request: Hummingbird.Request,
    context: Context,
    next: (Hummingbird.Request, Context) async throws -> Hummingbird.Response
  ) async throws -> Hummingbird.Response {
    if request.method == .get || request.method == .head { return try await next(request, context) }
    let takesForms = acceptsForm(at: Text(string: request.uri.path))
    if request.method == .post, takesForms { return try await next(request, context) }
    return Hummingbird.Response(
      status: .methodNotAllowed,
      headers: [.allow: takesForms ? "GET, HEAD, POST" : "GET, HEAD"]
    )
  }
}
