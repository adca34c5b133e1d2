// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird
import LongboxReaders
import LongboxStore
import NIOCore

/// One method at one address, with everything that the server has to know about it.
///
/// The ``EndpointTable`` finds the endpoint of a request; body limits, the response cache, the 405 response and the
/// ``Dispatcher`` use it.
final class Endpoint: Sendable {
  typealias Handler = @Sendable (Request, ServerContext) async throws -> Response
  typealias CacheLookup = @Sendable (CacheQuery) -> CachedResponse?

  /// The method; a GET endpoint answers HEAD too.
  let method: HTTPRequest.Method
  /// The path, such as `comics/{number}/image`.
  ///
  /// `api/**` means `/api` and every address below it that no other endpoint has.
  let path: String
  /// The maximum length of a request's body, in bytes; nil for the default of ``ServerSettings``.
  let bodyLimit: Int?
  /// Whether it answers at a path; nil if it answers at all paths that match.
  let condition: (@Sendable (_ path: String) -> Bool)?
  /// Finds the response in memory.
  ///
  /// It runs on the connection's event loop, so it must not block.
  let cached: CacheLookup?
  let handle: Handler

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
}

protocol Controller: Sendable {
  var endpoints: [Endpoint] { get }

  /// How it rejects a method that an address does not have.
  var errorFormat: ErrorFormat { get }
}

extension Controller {
  var errorFormat: ErrorFormat { .statusOnly }
}

/// The format of status 405, for a method that an address doesn't have.
enum ErrorFormat: Sendable {
  /// The status and the headers.
  case statusOnly
  /// A ``Problem`` for programs.
  case problem
}

struct ServerContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The maximum length of the body, in bytes.
  var maxUploadSize = 0
  /// The client's address; unknown without a socket, as in tests.
  private(set) var client: ClientAddress
  /// The event loop of the connection.
  let eventLoop: any EventLoop
  /// The session or access key that lets the request in, if it needed one.
  var credential: StoredCredential?

  /// Whether a trusted proxy has signed the reader in.
  var isSignedInByProxy = false

  /// Whether the client is a device of the household: it has signed in here or at a trusted proxy.
  var isSignedIn: Bool { credential != nil || isSignedInByProxy }

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    client = ClientAddress(source.channel.remoteAddress)
    eventLoop = source.channel.eventLoop
  }

  /// Sets the client's address, if the other end of the connection is a trusted proxy.
  mutating func setClient(_ address: IPAddress) {
    client = ClientAddress(address.bytes)
  }
}

/// A request for a response that may be in memory.
struct CacheQuery {
  let request: HTTPRequest
  /// The path and the query.
  let address: String
  /// The value of the first parameter in the path; empty if the path has none.
  let parameter: Substring
  /// The text after the question mark.
  let query: Substring?
}
