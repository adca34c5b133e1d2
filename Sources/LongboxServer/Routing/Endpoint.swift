// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird

/// One method at one address, with everything that the server has to know about it.
///
/// The router, the answer 405, the limit of the body and the response cache all read this one value.
struct Endpoint: Sendable {
  typealias Handler = @Sendable (Request, ServerContext) async throws -> Response
  typealias CacheLookup = @Sendable (CacheQuery) -> CachedResponse?

  /// The method; a GET endpoint answers HEAD too.
  let method: HTTPRequest.Method
  /// The address, such as `comics/{number}/image`.
  ///
  /// `api/**` means every address below `/api`, and `/api` itself, that no other endpoint has.
  let path: String
  /// The longest body of a request, in bytes; nil means the default of ``ServerSettings``.
  let bodyLimit: Int?
  /// Which of the addresses it answers, where it does not answer all that its path means.
  let condition: (@Sendable (_ path: String) -> Bool)?
  /// Finds the response in memory.
  ///
  /// It runs on the connection's thread, so it must not wait for anything.
  let cached: CacheLookup?
  private let handle: Handler

  private init(
    _ method: HTTPRequest.Method,
    _ path: String,
    bodyLimit: Int? = nil,
    where condition: (@Sendable (_ path: String) -> Bool)? = nil,
    cached: CacheLookup? = nil,
    _ handle: @escaping Handler
  ) {
    self.method = method
    self.path = path
    self.bodyLimit = bodyLimit
    self.condition = condition
    self.cached = cached
    self.handle = handle
  }

  /// An endpoint that only reads.
  static func get(_ path: String, cached: CacheLookup? = nil, _ handle: @escaping Handler) -> Endpoint {
    Endpoint(.get, path, cached: cached, handle)
  }

  /// An endpoint that takes a form or a message.
  static func post(
    _ path: String,
    bodyLimit: Int? = nil,
    where condition: (@Sendable (_ path: String) -> Bool)? = nil,
    _ handle: @escaping Handler
  ) -> Endpoint {
    Endpoint(.post, path, bodyLimit: bodyLimit, where: condition, handle)
  }

  /// An endpoint that removes something.
  static func delete(_ path: String, bodyLimit: Int? = nil, _ handle: @escaping Handler) -> Endpoint {
    Endpoint(.delete, path, bodyLimit: bodyLimit, handle)
  }

  /// Answers a request.
  /// - Parameters:
  ///   - request: the request.
  ///   - context: what the router found out about it.
  ///   - bodyLimit: the longest body where the endpoint names no limit.
  func respond(to request: Request, _ context: ServerContext, bodyLimit: Int) async throws -> Response {
    var context = context
    context.maxUploadSize = self.bodyLimit ?? bodyLimit
    return try await handle(request, context)
  }
}
