// Longbox
// SPDX-License-Identifier: MIT

public import HTTPTypes

/// Finds the original client, scheme and host of a request that proxies passed on.
///
/// A trusted proxy's fields count. If the client that they name is a trusted proxy too, its fields count as well.
/// Fields of other clients are ignored, because any client can send them.
struct Forwarding: Sendable {
  private let proxies: TrustedProxies
  /// Whether proxies on this machine are believed about the scheme without being listed.
  private let trustsLocalScheme: Bool
  /// The field in which trusted proxies name whom they have signed in; nil if they don't.
  private let user: RemoteUserField?
  /// The path below which the site is; empty if trusted proxies may name one.
  private let basePath: BasePath

  /// Creates it.
  /// - Parameters:
  ///   - proxies: the trusted proxies.
  ///   - isLoopback: whether the server listens on loopback alone. Then a proxy on this machine is believed about the
  ///     scheme, unless there is a list.
  ///   - user: the field in which trusted proxies name whom they have signed in; nil if they don't.
  ///   - basePath: the path below which the site is; a trusted proxy may have removed it, if it says so.
  init(
    _ proxies: TrustedProxies,
    isLoopback: Bool,
    user: RemoteUserField? = nil,
    basePath: BasePath = BasePath()
  ) {
    self.proxies = proxies
    self.user = user
    self.basePath = basePath
    trustsLocalScheme = isLoopback && proxies.isEmpty
  }

  /// Gives a request the scheme, the host and the path that its client used, and notes in it the client's address and whom a
  /// proxy has signed in.
  /// - Parameters:
  ///   - head: the request.
  ///   - peer: the other end of the connection; nil if unknown.
  /// - Returns: what is wrong with the fields, for the log.
  func apply(to head: inout HTTPRequest, from peer: IPAddress?) -> Incident? {
    let proxy = peer.flatMap { proxies.contains($0) ? $0 : nil }
    guard proxy != nil || head.headerFields.contains(where: { isOfProxies($0.name) }) else { return nil }
    for name in ForwardedFields.own { head.headerFields[name] = nil }
    let signedIn = user?.user(in: head.headerFields)
    if let user { head.headerFields[user.name] = nil }
    guard let proxy else {
      let problem = ignore(&head, from: peer)
      return signedIn == nil ? problem : .unlistedUser
    }
    let origin = origin(of: head.headerFields, from: proxy)
    for name in ForwardedFields.all { head.headerFields[name] = nil }
    if let scheme = origin?.scheme { head.scheme = scheme }
    if let host = origin?.host { head.authority = host }
    if let name = ForwardedFields.client {
      head.headerFields[name] = (origin?.client ?? proxy).description
    }
    if let name = ForwardedFields.user, origin != nil { head.headerFields[name] = signedIn }
    let isPathKnown = noteRemovedPath(of: &head)
    return origin == nil ? .unclearForwarding : isPathKnown ? nil : .unknownPrefix
  }

  /// Puts the base path before a request's path again, if the proxy has removed it; without a base path, notes what it has
  /// removed.
  /// - Returns: whether what the proxy has removed, if anything, can be the base path.
  private func noteRemovedPath(of head: inout HTTPRequest) -> Bool {
    guard let prefix = head.removedPrefix else { return true }
    guard let removed = BasePath(prefix) else { return false }
    guard !basePath.isEmpty else {
      if let name = ForwardedFields.basePath { head.headerFields[name] = removed.text }
      return true
    }
    guard removed == basePath else { return false }
    let path = head.path ?? "/"
    // Some proxies name the path and pass it on, too.
    if basePath.rest(of: path) == nil, path.prefix(while: { $0 != "?" }) != basePath.text {
      head.path = basePath.text + path
    }
    return true
  }

  private func isOfProxies(_ name: HTTPField.Name) -> Bool {
    ForwardedFields.contain(name) || name == user?.name
  }

  /// Ignores the fields of an unlisted proxy.
  ///
  /// The scheme counts if the proxy is on this machine, the server listens on loopback alone, and no proxies are listed.
  private func ignore(_ head: inout HTTPRequest, from peer: IPAddress?) -> Incident? {
    guard trustsLocalScheme, let peer, peer.isLoopback else {
      return head.headerFields.contains { ForwardedFields.all.contains($0.name) } ? .unlistedProxy : nil
    }
    let schemes = ForwardedHop.list(head.headerFields.value(ForwardedFields.schemes))
    if let scheme = schemes.last.flatMap({ ForwardedHop.scheme($0) }) { head.scheme = scheme }
    return nil
  }

  /// What the outermost trusted proxy says; nil if `Forwarded` is malformed, or contradicts the `X-Forwarded` fields.
  ///
  /// Most proxies write only one kind, and pass on the other as the client sent it. So neither takes precedence.
  private func origin(of fields: HTTPFields, from proxy: IPAddress) -> ForwardedHop? {
    var origins: [ForwardedHop] = []
    if let field = fields.value(ForwardedFields.standard) {
      guard let hops = ForwardedHop.standard(field) else { return nil }
      origins.append(outermost(of: hops, from: proxy))
    }
    let (clients, schemes, hosts) = (
      fields.value(ForwardedFields.clients), fields.value(ForwardedFields.schemes),
      fields.value(ForwardedFields.hosts)
    )
    if clients != nil || schemes != nil || hosts != nil {
      let hops = ForwardedHop.common(clients: clients, schemes: schemes, hosts: hosts)
      origins.append(outermost(of: hops, from: proxy))
    }
    guard let origin = origins.first else { return ForwardedHop(client: proxy) }
    return origins.allSatisfy { $0 == origin } ? origin : nil
  }

  /// Follows the trusted proxies, from the last one.
  private func outermost(of hops: [ForwardedHop], from proxy: IPAddress) -> ForwardedHop {
    var origin = ForwardedHop(client: proxy)
    for hop in hops.reversed() {
      let known = origin.client
      origin = hop
      guard let client = hop.client else {
        origin.client = known
        break
      }
      guard proxies.contains(client) else { break }
    }
    return origin
  }
}

/// The addresses and networks of the operator's proxies, which are believed about their clients.
public struct TrustedProxies: Equatable, Sendable {
  private var networks: [Subnet] = []

  /// Creates an empty list: no proxy is believed.
  public init() {}

  /// Whether no proxy is listed.
  public var isEmpty: Bool { networks.isEmpty }

  /// Adds an address such as `192.0.2.1`, or a network such as `10.0.0.0/8` or `fd00::/8`.
  /// - Returns: whether the text is one. A network of everybody (`/0`) is not: all clients could then lie.
  public mutating func add(_ text: String) -> Bool {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let address = parts.first.flatMap({ IPAddress(text: $0) }) else { return false }
    let bits = address.bytes.count * 8
    var length = bits
    if parts.count == 2 {
      guard parts[1].utf8.count <= 3, parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let number = Int(parts[1])
      else { return false }
      // An IPv4 network may be written in the form of IPv6, after 96 fixed bits.
      length = bits == 32 && parts[0].contains(":") ? number - 96 : number
    }
    guard (1...bits).contains(length) else { return false }
    networks.append(Subnet(address.bytes, length: length))
    return true
  }

  /// Whether an address is one of a proxy.
  func contains(_ address: IPAddress) -> Bool {
    networks.contains { $0.contains(address.bytes) }
  }
}

/// The header field in which a trusted proxy names the reader that it has signed in, such as `Remote-User`.
public struct RemoteUserField: Equatable, Sendable {
  public let name: HTTPField.Name

  /// Reads a name; nil if it is malformed, or a field that browsers and proxies send for other reasons.
  public init?(_ text: String) {
    guard let name = HTTPField.Name(text), !ForwardedFields.contain(name) else { return nil }
    let lower = name.canonicalName
    guard !Self.others.contains(lower),
      !["accept", "sec-", "content-"].contains(where: { lower.hasPrefix($0) })
    else { return nil }
    self.name = name
  }

  /// Fields that browsers and proxies send for other reasons.
  private static let others: Set<String> = [
    "authorization", "cache-control", "connection", "cookie", "dnt", "expect", "host", "origin", "pragma",
    "priority", "purpose", "range", "referer", "te", "transfer-encoding", "upgrade",
    "upgrade-insecure-requests", "user-agent", "via", "x-real-ip", "x-requested-with",
  ]

  /// The user that a trusted proxy has signed in; nil if it named none, or sent the field twice.
  func user(in fields: HTTPFields) -> String? {
    let values = fields[values: name]
    guard values.count == 1, let user = values.first, user.contains(where: { !$0.isWhitespace }) else {
      return nil
    }
    return user
  }
}

/// The header fields in which proxies name their clients.
enum ForwardedFields {
  static let standard = HTTPField.Name("Forwarded")
  static let clients = HTTPField.Name("X-Forwarded-For")
  static let schemes = HTTPField.Name("X-Forwarded-Proto")
  static let hosts = HTTPField.Name("X-Forwarded-Host")
  /// Those in which a proxy names the path that it has removed from the address; Home Assistant has the second one.
  static let prefixes = [HTTPField.Name("X-Forwarded-Prefix"), HTTPField.Name("X-Ingress-Path")].compactMap(
    \.self
  )
  /// The client of a request that a trusted proxy passed on.
  ///
  /// It is our own field: ``Forwarding`` sets it, and removes what clients send.
  static let client = HTTPField.Name("Longbox-Client")
  /// The user that a trusted proxy has signed in; our own field, too.
  static let user = HTTPField.Name("Longbox-User")
  /// The path that a trusted proxy has removed from the address, if no base path is set; our own field, too.
  static let basePath = HTTPField.Name("Longbox-Base-Path")

  /// Those that ``Forwarding`` reads.
  static let all = [standard, clients, schemes, hosts].compactMap(\.self)

  /// Our own fields.
  static let own = [client, user, basePath].compactMap(\.self)

  /// Whether a field is one of ``all`` or our own.
  static func contain(_ name: HTTPField.Name) -> Bool {
    // Nearly all other fields differ in their first letter.
    switch name.canonicalName.utf8.first {
    case UInt8(ascii: "f"), UInt8(ascii: "x"), UInt8(ascii: "l"): all.contains(name) || own.contains(name)
    default: false
    }
  }
}

extension HTTPFields {
  /// The values of a field, with commas between them; nil if it is missing.
  func value(_ name: HTTPField.Name?) -> String? { name.flatMap { self[$0] } }
}

extension HTTPRequest {
  /// The client, if a trusted proxy passed the request on.
  var forwardedClient: IPAddress? {
    // Reading through them costs less than the index that a look-up by name makes.
    headerFields.first { $0.name == ForwardedFields.client }.flatMap { IPAddress(text: $0.value) }
  }

  /// The path that a proxy says it has removed from the address; nil if it names none.
  var removedPrefix: String? {
    headerFields.first { ForwardedFields.prefixes.contains($0.name) }.map(\.value)
      .flatMap { $0.isEmpty || $0 == "/" ? nil : $0 }
  }

  /// The base path that a trusted proxy has removed, and named; nil if there is none, or if the settings have one.
  var namedBasePath: BasePath? {
    headerFields.first { $0.name == ForwardedFields.basePath }.flatMap { BasePath($0.value) }
  }

  /// The path below which the client sees the site.
  /// - Parameter configured: the one in the settings.
  func basePath(or configured: BasePath) -> BasePath { namedBasePath ?? configured }

  /// Whether a trusted proxy has signed the reader in.
  var isSignedInByProxy: Bool {
    headerFields.contains { $0.name == ForwardedFields.user }
  }
}

/// What a proxy says about the sender of a request.
struct ForwardedHop: Equatable, Sendable {
  /// The sender's address; nil if the proxy doesn't name it, or not by an address.
  var client: IPAddress?
  /// The scheme that the sender used: `http` or `https`.
  var scheme: String?
  /// The host and port that the sender asked for.
  var host: String?

  /// Reads `Forwarded` (RFC 7239, section 4), the last proxy last; nil if any part is malformed.
  ///
  /// The first part may come from the client. With an unclosed quote, a client could hide the parts that proxies added.
  /// So a field with any malformed part is rejected.
  static func standard(_ field: String) -> [ForwardedHop]? {
    var parser = ForwardedParser(field)
    return parser.hops()
  }

  /// Reads `X-Forwarded-For`, `X-Forwarded-Proto` and `X-Forwarded-Host`, the last proxy last.
  ///
  /// Some proxies make lists of all three, others replace scheme and host. If a list is not as long as that of
  /// addresses, its last value counts for all.
  static func common(clients: String?, schemes: String?, hosts: String?) -> [ForwardedHop] {
    let clients = list(clients)
    let schemes = list(schemes)
    let hosts = list(hosts)
    return (0..<max(1, clients.count)).map { index in
      func value(_ list: [Substring]) -> Substring? {
        list.count == clients.count && !list.isEmpty ? list[index] : list.last
      }
      return ForwardedHop(
        client: clients.isEmpty ? nil : address(clients[index]),
        scheme: value(schemes).flatMap { scheme($0) },
        host: value(hosts).flatMap { host($0) }
      )
    }
  }

  /// The values of a list.
  static func list(_ field: String?) -> [Substring] {
    guard let field else { return [] }
    return field.split(separator: ",", omittingEmptySubsequences: false).map { value in
      var value = value.drop { $0 == " " || $0 == "\t" }
      while value.last == " " || value.last == "\t" { value.removeLast() }
      return value
    }
  }

  /// An address, with a port or without; nil for anything else, such as `unknown`.
  static func address(_ text: some StringProtocol) -> IPAddress? {
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]"), isPort(text[text.index(after: end)...]) else { return nil }
      return IPAddress(text: text[text.index(after: text.startIndex)..<end])
    }
    guard let colon = text.firstIndex(of: ":"), colon == text.lastIndex(of: ":") else {
      return IPAddress(text: text)
    }
    return isPort(text[colon...]) ? IPAddress(text: text[..<colon]) : nil
  }

  /// A scheme in lower case; nil if it is neither `http` nor `https`.
  static func scheme(_ text: some StringProtocol) -> String? {
    let scheme = text.lowercased()
    return scheme == "http" || scheme == "https" ? scheme : nil
  }

  /// A host with its port; nil if it is malformed.
  static func host(_ text: some StringProtocol) -> String? {
    let host = String(text)
    return HostField(host) == nil ? nil : host
  }

  /// Whether a text is empty, or a colon and a port.
  private static func isPort(_ text: some StringProtocol) -> Bool {
    text.isEmpty
      || (text.hasPrefix(":") && (2...6).contains(text.utf8.count)
        && text.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) })
  }
}

/// Parses a `Forwarded` field (RFC 7239, section 4).
struct ForwardedParser {
  private var rest: Substring.UTF8View

  init(_ field: String) {
    rest = field[...].utf8
  }

  /// Reads all elements; nil if the field is malformed.
  mutating func hops() -> [ForwardedHop]? {
    var hops: [ForwardedHop] = []
    repeat {
      guard let hop = hop() else { return nil }
      hops.append(hop)
    } while take(",")
    return rest.isEmpty ? hops : nil
  }

  /// Reads the pairs of one element.
  private mutating func hop() -> ForwardedHop? {
    var hop = ForwardedHop()
    var names: Set<String> = []
    repeat {
      skipSpace()
      guard let name = token()?.lowercased(), take("="), let value = take("\"") ? quoted() : token(),
        names.insert(name).inserted
      else { return nil }
      switch name {
      case "for": hop.client = ForwardedHop.address(value)
      case "proto": hop.scheme = ForwardedHop.scheme(value)
      case "host": hop.host = ForwardedHop.host(value)
      default: break
      }
      skipSpace()
    } while take(";")
    return hop
  }

  /// Reads a token (RFC 9110, section 5.6.2).
  private mutating func token() -> String? {
    let token = rest.prefix { Self.isOfToken($0) }
    guard !token.isEmpty else { return nil }
    rest = rest[token.endIndex...]
    return String(Substring(token))
  }

  /// Reads the rest of a quoted string; nil if it doesn't end.
  private mutating func quoted() -> String? {
    var bytes: [UInt8] = []
    while var byte = rest.popFirst() {
      if byte == UInt8(ascii: "\"") { return String(decoding: bytes, as: UTF8.self) }
      if byte == UInt8(ascii: "\\") {
        guard let escaped = rest.popFirst() else { return nil }
        byte = escaped
      }
      bytes.append(byte)
    }
    return nil
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func skipSpace() {
    rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
  }

  private static func isOfToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    // Colons are not part of tokens, but proxies write ports and hosts without quotes.
    case UInt8(ascii: ":"): true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
