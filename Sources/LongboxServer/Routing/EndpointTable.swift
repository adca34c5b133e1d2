// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird
import HummingbirdCore

/// The endpoints of all controllers, by their addresses.
///
/// Hummingbird's router finds the endpoint of a request. This table answers what the router can't: what is done at an address
/// before the request reaches the router, and what is done where the router found nothing.
struct EndpointTable: Sendable {
  /// The endpoints that have one address.
  struct Entry: Sendable {
    let pattern: PathPattern
    fileprivate(set) var endpoints: [Endpoint] = []
    let errorFormat: ErrorFormat
    /// Finds the response to a GET request in memory.
    fileprivate(set) var cached: Endpoint.CacheLookup?

    fileprivate mutating func add(_ endpoint: Endpoint) {
      endpoints.append(endpoint)
      cached = cached ?? endpoint.cached
    }

    /// The endpoint for a method; nil where the address doesn't have it.
    func endpoint(_ method: HTTPRequest.Method, at path: String) -> Endpoint? {
      let method: HTTPRequest.Method = method == .head ? .get : method
      return endpoints.first { $0.method == method && $0.condition?(path) ?? true }
    }

    /// The methods of the address, as `Allow` lists them.
    func methods(at path: String) -> [HTTPRequest.Method] {
      endpoints.filter { $0.condition?(path) ?? true }
        .flatMap { $0.method == .get ? [.get, .head] : [$0.method] }
    }
  }

  /// The longest body where an endpoint names no limit, in bytes.
  let bodyLimit: Int
  /// The entries by how many parts their paths have, the most precise first.
  private let entries: [[Entry]]
  /// The entries for every address below some path, the longest path first.
  private let catchAlls: [Entry]

  /// Makes a table.
  /// - Parameters:
  ///   - controllers: who answers.
  ///   - bodyLimit: the longest body where an endpoint names no limit, in bytes.
  init(_ controllers: [any Controller], bodyLimit: Int) {
    var all: [Entry] = []
    for controller in controllers {
      for endpoint in controller.endpoints {
        let index = all.firstIndex { $0.pattern.text == endpoint.path } ?? all.count
        if index == all.count {
          all.append(Entry(pattern: PathPattern(endpoint.path), errorFormat: controller.errorFormat))
        }
        all[index].add(endpoint)
      }
    }
    all.sort { $0.pattern.precedes($1.pattern) }
    catchAlls = all.filter(\.pattern.isCatchAll)
    let exact = all.filter { !$0.pattern.isCatchAll }
    let longest = exact.map(\.pattern.count).max() ?? 0
    entries = (0...longest).map { count in exact.filter { $0.pattern.count == count } }
    self.bodyLimit = bodyLimit
  }

  /// All endpoints that have an address of their own.
  var exactEndpoints: [Endpoint] { entries.flatMap { $0.flatMap(\.endpoints) } }

  /// The endpoints behind the middleware, as a router that a test can ask without a socket.
  var router: Router<ServerContext> {
    let router = Router(context: ServerContext.self, options: .autoGenerateHeadEndpoints)
    router.add(middleware: SecurityHeaders())
    // It has the endpoints that catch all.
    router.add(middleware: UnmatchedRequests(endpoints: self))
    for endpoint in exactEndpoints {
      router.on(RouterPath(endpoint.path), method: endpoint.method) { [bodyLimit] request, context in
        try await endpoint.respond(to: request, context, bodyLimit: bodyLimit)
      }
    }
    return router
  }

  /// The entry that has an address, split at its slashes.
  func entry(at path: [Substring]) -> Entry? {
    if path.count < entries.count {
      for entry in entries[path.count] where entry.pattern.matches(path) { return entry }
    }
    return catchAll(at: path)
  }

  /// The entry that has an address.
  func entry(at path: String) -> Entry? {
    entry(at: Self.parts(of: path[...]))
  }

  /// The catch-all entry that has an address.
  func catchAll(at path: String) -> Entry? {
    catchAll(at: Self.parts(of: path[...]))
  }

  /// The longest body that is taken for a request, in bytes.
  func bodyLimit(of request: HTTPRequest) -> Int {
    guard request.method != .get, request.method != .head, let address = request.path else {
      return bodyLimit
    }
    let path = URI(address).path
    return entry(at: path)?.endpoint(request.method, at: path)?.bodyLimit ?? bodyLimit
  }

  /// The response to a request where it is in memory.
  ///
  /// It runs on the threads of the connections, which must not wait: there is no disk and no source behind it.
  func cachedResponse(to request: HTTPRequest) -> CachedResponse? {
    guard request.method == .get, let address = request.path else { return nil }
    let end = address.utf8.firstIndex(of: UInt8(ascii: "?"))
    let path = Self.parts(of: address[..<(end ?? address.endIndex)])
    guard let entry = entry(at: path), let cached = entry.cached else { return nil }
    return cached(
      CacheQuery(
        request: request,
        address: address,
        parameter: entry.pattern.firstParameter(in: path) ?? "",
        query: end.map { address[address.utf8.index(after: $0)...] }
      )
    )
  }

  private func catchAll(at path: [Substring]) -> Entry? {
    for entry in catchAlls where entry.pattern.matches(path) { return entry }
    return nil
  }

  /// The parts of a path; it is split by bytes, since to look for whole characters takes much longer.
  private static func parts(of path: Substring) -> [Substring] {
    path.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
  }
}
