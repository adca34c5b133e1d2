// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import LongboxReaders

/// The endpoints of all controllers; finds the one for a request.
///
/// It also carries what answering needs besides: access, incidents and unsent bytes.
///
/// It matches each request once on its connection, see ``RequestGate``. Hummingbird's application gets a bare request, so the
/// ``Dispatcher`` asks again for those that aren't answered from memory.
struct EndpointTable: Sendable {
  /// The endpoints at one path.
  final class Entry: Sendable {
    let pattern: PathPattern
    /// Its place in ``EndpointTable/paths``.
    let number: Int
    let endpoints: [Endpoint]
    /// How it rejects a method that it doesn't have.
    let errorFormat: ErrorFormat
    /// Finds the response to a GET request in memory.
    let cached: Endpoint.CacheLookup?

    fileprivate init(
      _ pattern: PathPattern,
      _ number: Int,
      _ endpoints: [Endpoint],
      _ errorFormat: ErrorFormat
    ) {
      self.pattern = pattern
      self.number = number
      self.endpoints = endpoints
      self.errorFormat = errorFormat
      cached = endpoints.lazy.compactMap(\.cached).first
    }

    /// The endpoint for a method, if the path has one; that of GET answers HEAD, too.
    fileprivate func endpoint(_ method: HTTPRequest.Method, at path: Substring) -> Endpoint? {
      let method: HTTPRequest.Method = method == .head ? .get : method
      return endpoints.first { $0.method == method && $0.condition?(String(path)) ?? true }
    }

    /// The methods at the path, for `Allow`.
    fileprivate func methods(at path: Substring) -> [HTTPRequest.Method] {
      endpoints.filter { $0.condition?(String(path)) ?? true }
        .flatMap { $0.method == .get ? [.get, .head] : [$0.method] }
    }
  }

  /// What the table has for a request.
  struct Match: Sendable {
    let entry: Entry
    /// The endpoint for the request's method; nil if the path has only others.
    let endpoint: Endpoint?
    /// The maximum length of the request's body, in bytes.
    let bodyLimit: Int
    private let path: Substring
    /// The path, split at its slashes.
    private let parts: [Substring]

    fileprivate init(
      _ entry: Entry,
      _ method: HTTPRequest.Method,
      _ path: Substring,
      _ parts: [Substring],
      bodyLimit: Int
    ) {
      self.entry = entry
      self.path = path
      self.parts = parts
      endpoint = entry.endpoint(method, at: path)
      self.bodyLimit = endpoint?.bodyLimit ?? bodyLimit
    }

    /// The values of the parameters in the path, as the client spelled them.
    var parameters: Parameters { Parameters(entry.pattern.parameters(in: parts)) }

    /// The value of the first parameter in the path; empty if it has none.
    var firstParameter: Substring { entry.pattern.firstParameter(in: parts) ?? "" }

    /// The methods at the path, for `Allow`.
    var methods: [HTTPRequest.Method] { entry.methods(at: path) }
  }

  /// The maximum length of a body if an endpoint has no limit, in bytes.
  let bodyLimit: Int
  /// Logs what limits reject.
  let incidents: IncidentLog
  /// Decides which requests have access.
  let accessGate: AccessGate
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
  ///   - accessGate: decides which requests have access; by default all.
  ///   - incidents: logs what limits reject.
  init(
    _ controllers: [any Controller],
    limits: Limits = Limits(),
    accessGate: AccessGate = AccessGate(),
    incidents: IncidentLog = IncidentLog(logger: Logger(label: "longbox"))
  ) {
    var groups: [(pattern: PathPattern, endpoints: [Endpoint], errorFormat: ErrorFormat)] = []
    for controller in controllers {
      for endpoint in controller.endpoints {
        if let index = groups.firstIndex(where: { $0.pattern.text == endpoint.path }) {
          groups[index].endpoints.append(endpoint)
        } else {
          groups.append((PathPattern(endpoint.path), [endpoint], controller.errorFormat))
        }
      }
    }
    groups.sort { $0.pattern.precedes($1.pattern) }
    let all = groups.enumerated().map { Entry($1.pattern, $0, $1.endpoints, $1.errorFormat) }
    paths = all.map(\.pattern.text)
    catchAlls = all.filter(\.pattern.isCatchAll)
    let exact = all.filter { !$0.pattern.isCatchAll }
    let longest = exact.map(\.pattern.count).max() ?? 0
    entries = (0...longest).map { count in exact.filter { $0.pattern.count == count } }
    bodyLimit = limits.bodyLength
    unsent = UnsentBytes(
      limit: limits.unsentBytes,
      limitOfClient: limits.unsentBytesPerAddress,
      incidents: incidents
    )
    self.incidents = incidents
    self.accessGate = accessGate
  }

  /// All endpoints that are not catch-alls.
  var exactEndpoints: [Endpoint] { entries.flatMap { $0.flatMap(\.endpoints) } }

  /// What answers the requests that aren't answered from memory; tests can use it without a socket.
  var dispatcher: Dispatcher { Dispatcher(endpoints: self) }

  /// What the table has for a request; nil if it has no endpoint at its path.
  func match(_ head: HTTPRequest) -> Match? {
    let path = Self.path(of: head.path ?? "")
    // Splitting by bytes is much faster than by characters.
    let parts = path.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
    guard let entry = entry(at: parts) else { return nil }
    return Match(entry, head.method, path, parts, bodyLimit: bodyLimit)
  }

  /// The response to a request, if it is in memory.
  ///
  /// It runs on the event loops of the connections, so it must not block: it uses neither disk nor network. What is in memory has
  /// the base path of the settings.
  func cachedResponse(to request: IncomingRequest) -> CachedResponse? {
    let (head, client) = (request.head, request.address)
    // A client may send a whole address (RFC 9112, section 3.2.2), which is left to the application.
    guard head.method == .get, let match = request.match, let cached = match.entry.cached,
      let address = head.path,
      address.utf8.first == UInt8(ascii: "/"), head.namedBasePath == nil,
      accessGate.admitsAtOnce(head, from: client)
    else { return nil }
    let end = address.utf8.firstIndex(of: UInt8(ascii: "?"))
    let query = CacheQuery(
      request: head,
      address: address,
      parameter: match.firstParameter,
      query: end.map { address[address.utf8.index(after: $0)...] }
    )
    guard var response = cached(query) else { return nil }
    if accessGate.guards(head) { response.head.headerFields.keepFromSharedCaches() }
    return response
  }

  /// The path of a request's address, without the query.
  private static func path(of address: String) -> Substring {
    guard address.utf8.first == UInt8(ascii: "/") else { return URI(address).path[...] }
    return address[..<(address.utf8.firstIndex(of: UInt8(ascii: "?")) ?? address.endIndex)]
  }

  /// The entry for a path, split at its slashes.
  private func entry(at path: [Substring]) -> Entry? {
    if path.count < entries.count {
      for entry in entries[path.count] where entry.pattern.matches(path) { return entry }
    }
    for entry in catchAlls where entry.pattern.matches(path) { return entry }
    return nil
  }
}

/// The path of an endpoint, parsed so that matching allocates no memory.
struct PathPattern: Sendable {
  /// One part of a path between slashes.
  private enum Part: Sendable {
    case literal(String)
    /// A parameter, such as `{number}` or `{token}.atom`.
    case parameter(Substring, prefix: String, suffix: String)

    init(_ text: Substring) {
      guard let start = text.firstIndex(of: "{"), let end = text.lastIndex(of: "}") else {
        self = .literal(String(text))
        return
      }
      self = .parameter(
        text[start..<end].dropFirst(),
        prefix: String(text[..<start]),
        suffix: String(text[text.index(after: end)...])
      )
    }

    func matches(_ part: Substring) -> Bool {
      switch self {
      // The lengths usually differ, and comparing them is much cheaper.
      case .literal(let word): part.utf8.count == word.utf8.count && part == word
      case .parameter(_, let prefix, let suffix):
        (prefix.isEmpty || part.hasPrefix(prefix)) && (suffix.isEmpty || part.hasSuffix(suffix))
      }
    }

    /// Higher means more specific.
    var precision: Int {
      switch self {
      case .literal: 2
      case .parameter(_, let prefix, let suffix): prefix.isEmpty && suffix.isEmpty ? 0 : 1
      }
    }

    /// The parameter's value in a matching part.
    func value(in part: Substring) -> Substring? {
      guard case .parameter(_, let prefix, let suffix) = self else { return nil }
      return part.dropFirst(prefix.count).dropLast(suffix.count)
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

  /// The names and values of the parameters in a matching path.
  func parameters(in path: [Substring]) -> [(key: Substring, value: Substring)] {
    zip(parts, path).compactMap { part, text in
      guard case .parameter(let name, _, _) = part, let value = part.value(in: text) else { return nil }
      return (name, value)
    }
  }

  /// The value of the first parameter in a matching path.
  func firstParameter(in path: [Substring]) -> Substring? {
    for (part, text) in zip(parts, path) {
      if let value = part.value(in: text) { return value }
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
