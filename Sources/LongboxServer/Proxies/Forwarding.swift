// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes

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
  /// The path below which the site is.
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
  func apply(to head: inout HTTPRequest, from peer: IPAddress?) -> Flood? {
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
    let isPathKnown = restorePath(of: &head)
    return origin == nil ? .unclearForwarding : isPathKnown ? nil : .unknownPrefix
  }

  /// Puts the base path before a request's path again, if the proxy has removed it.
  /// - Returns: whether what the proxy has removed, if anything, is the base path.
  private func restorePath(of head: inout HTTPRequest) -> Bool {
    guard let prefix = head.removedPrefix else { return true }
    guard !basePath.isEmpty, BasePath(prefix) == basePath else { return false }
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
  private func ignore(_ head: inout HTTPRequest, from peer: IPAddress?) -> Flood? {
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
