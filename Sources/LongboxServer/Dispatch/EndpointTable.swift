// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import LongboxReaders

/// The endpoints of all controllers, by path.
///
/// Hummingbird's router finds the endpoint of a request. This table serves what runs before the router
/// (limits and the response cache) and what runs after it found nothing.
struct EndpointTable: Sendable {
  /// The endpoints at one path.
  struct Entry: Sendable {
    let pattern: PathPattern
    /// Its place in ``EndpointTable/paths``.
    fileprivate(set) var number = 0
    fileprivate(set) var endpoints: [Endpoint] = []
    let errorFormat: ErrorFormat
    /// Finds the response to a GET request in memory.
    fileprivate(set) var cached: Endpoint.CacheLookup?

    fileprivate mutating func add(_ endpoint: Endpoint) {
      endpoints.append(endpoint)
      cached = cached ?? endpoint.cached
    }

    /// The endpoint for a method, if the path has one.
    func endpoint(_ method: HTTPRequest.Method, at path: String) -> Endpoint? {
      let method: HTTPRequest.Method = method == .head ? .get : method
      return endpoints.first { $0.method == method && $0.condition?(path) ?? true }
    }

    /// The methods at the path, for `Allow`.
    func methods(at path: String) -> [HTTPRequest.Method] {
      endpoints.filter { $0.condition?(path) ?? true }
        .flatMap { $0.method == .get ? [.get, .head] : [$0.method] }
    }
  }

  /// The maximum length of a body if an endpoint has no limit, in bytes.
  let bodyLimit: Int
  /// Logs what limits reject.
  let floods: FloodLog
  /// Decides which requests have access.
  let gate: AccessGate
  /// Counts the long responses that wait for their clients.
  let unsent: UnsentBytes
  /// The entries by the number of parts in their paths, most specific first.
  private let entries: [[Entry]]
  /// The catch-all entries, longest path first.
  private let catchAlls: [Entry]
  /// The paths of all entries.
  let paths: [String]

  /// Creates a table.
  /// - Parameters:
  ///   - controllers: the controllers.
  ///   - limits: the maximum lengths of bodies and of what waits for clients.
  ///   - gate: decides which requests have access; by default all.
  ///   - floods: logs what limits reject.
  init(
    _ controllers: [any Controller],
    limits: Limits = Limits(),
    gate: AccessGate = AccessGate(),
    floods: FloodLog = FloodLog(logger: Logger(label: "longbox"))
  ) {
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
    for number in all.indices { all[number].number = number }
    paths = all.map(\.pattern.text)
    catchAlls = all.filter(\.pattern.isCatchAll)
    let exact = all.filter { !$0.pattern.isCatchAll }
    let longest = exact.map(\.pattern.count).max() ?? 0
    entries = (0...longest).map { count in exact.filter { $0.pattern.count == count } }
    bodyLimit = limits.bodyLength
    unsent = UnsentBytes(
      limit: limits.unsentBytes,
      limitOfClient: limits.unsentBytesPerAddress,
      floods: floods
    )
    self.floods = floods
    self.gate = gate
  }

  /// All endpoints that are not catch-alls.
  var exactEndpoints: [Endpoint] { entries.flatMap { $0.flatMap(\.endpoints) } }

  /// The router with its middleware; tests can use it without a socket.
  var router: Router<ServerContext> {
    let router = Router(context: ServerContext.self, options: .autoGenerateHeadEndpoints)
    router.add(middleware: PrivateResponses(gate: gate))
    router.add(middleware: ForwardedClient())
    router.add(middleware: SecurityHeaders(floods: floods))
    router.add(middleware: UnsentBytesMiddleware(unsent: unsent))
    router.add(middleware: AccessMiddleware(gate: gate))
    // This middleware serves the catch-all endpoints.
    router.add(middleware: UnmatchedRequests(endpoints: self))
    for endpoint in exactEndpoints {
      router.on(RouterPath(endpoint.path), method: endpoint.method) { [bodyLimit] request, context in
        try await endpoint.respond(to: request, context, bodyLimit: bodyLimit)
      }
    }
    return router
  }

  /// The entry for a path, split at its slashes.
  func entry(at path: [Substring]) -> Entry? {
    if path.count < entries.count {
      for entry in entries[path.count] where entry.pattern.matches(path) { return entry }
    }
    return catchAll(at: path)
  }

  func entry(at path: String) -> Entry? {
    entry(at: Self.parts(of: path[...]))
  }

  /// The catch-all entry for a path.
  func catchAll(at path: String) -> Entry? {
    catchAll(at: Self.parts(of: path[...]))
  }

  /// The maximum length of a request's body, in bytes.
  func bodyLimit(of request: HTTPRequest) -> Int {
    guard request.method != .get, request.method != .head, let address = request.path else {
      return bodyLimit
    }
    let path = URI(address).path
    return entry(at: path)?.endpoint(request.method, at: path)?.bodyLimit ?? bodyLimit
  }

  /// The response to a request with the number of its route, if it is in memory.
  ///
  /// It runs on the event loops of the connections, so it must not block: it uses neither disk nor network.
  func cachedResponse(to request: HTTPRequest, from client: ClientAddress) -> (CachedResponse, route: Int)? {
    guard request.method == .get, let address = request.path, gate.admitsAtOnce(request, from: client) else {
      return nil
    }
    let end = address.utf8.firstIndex(of: UInt8(ascii: "?"))
    let path = Self.parts(of: address[..<(end ?? address.endIndex)])
    guard let entry = entry(at: path), let cached = entry.cached else { return nil }
    let query = CacheQuery(
      request: request,
      address: address,
      parameter: entry.pattern.firstParameter(in: path) ?? "",
      query: end.map { address[address.utf8.index(after: $0)...] }
    )
    guard var response = cached(query) else { return nil }
    if gate.guards(request) { response.head.headerFields.keepFromSharedCaches() }
    return (response, entry.number)
  }

  private func catchAll(at path: [Substring]) -> Entry? {
    for entry in catchAlls where entry.pattern.matches(path) { return entry }
    return nil
  }

  /// Splits a path by bytes, which is much faster than by characters.
  private static func parts(of path: Substring) -> [Substring] {
    path.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
  }
}

/// The path of an endpoint, parsed so that matching allocates no memory.
struct PathPattern: Sendable {
  /// One part of a path between slashes.
  private enum Part: Sendable {
    case literal(String)
    /// A parameter, such as `{number}` or `{token}.atom`.
    case parameter(prefix: String, suffix: String)

    init(_ text: Substring) {
      guard let start = text.firstIndex(of: "{"), let end = text.lastIndex(of: "}") else {
        self = .literal(String(text))
        return
      }
      self = .parameter(prefix: String(text[..<start]), suffix: String(text[text.index(after: end)...]))
    }

    func matches(_ part: Substring) -> Bool {
      switch self {
      // The lengths usually differ, and comparing them is much cheaper.
      case .literal(let word): part.utf8.count == word.utf8.count && part == word
      case .parameter(let prefix, let suffix):
        (prefix.isEmpty || part.hasPrefix(prefix)) && (suffix.isEmpty || part.hasSuffix(suffix))
      }
    }

    /// Higher means more specific, in the order of Hummingbird's router.
    var precision: Int {
      switch self {
      case .literal: 2
      case .parameter(let prefix, let suffix): prefix.isEmpty && suffix.isEmpty ? 0 : 1
      }
    }
  }

  let text: String
  /// Whether it also matches every address below it.
  let isCatchAll: Bool
  private let parts: [Part]

  init(_ text: String) {
    self.text = text
    let parts = text.split(separator: "/")
    isCatchAll = parts.last == "**"
    self.parts = parts.prefix { $0 != "**" }.map { Part($0) }
  }

  /// The number of parts before the catch-all.
  var count: Int { parts.count }

  /// Whether a path, split at its slashes, matches.
  func matches(_ path: [Substring]) -> Bool {
    guard isCatchAll ? path.count >= parts.count : path.count == parts.count else { return false }
    for index in parts.indices where !parts[index].matches(path[index]) { return false }
    return true
  }

  /// The value of the first parameter in a matching path.
  func firstParameter(in path: [Substring]) -> Substring? {
    for (part, value) in zip(parts, path) {
      if case .parameter(let prefix, let suffix) = part {
        return value.dropFirst(prefix.count).dropLast(suffix.count)
      }
    }
    return nil
  }

  /// Whether it is tried before another pattern.
  func precedes(_ other: PathPattern) -> Bool {
    guard isCatchAll == other.isCatchAll else { return other.isCatchAll }
    if isCatchAll { return count > other.count }
    return other.parts.map(\.precision).lexicographicallyPrecedes(parts.map(\.precision))
  }
}
