// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxCore
import LongboxReaders
import LongboxStore

/// Decides whether a request is admitted.
///
/// It runs for each request, also on the connections' event loops, so it must not block.
struct AccessGate: Sendable {
  /// Which readers have to sign in.
  enum Mode: Equatable, Sendable {
    /// None: the server listens on loopback alone, and there is no passphrase.
    case loopback
    /// None, although others can reach the server.
    case open
    /// All readers. Being on this machine grants nothing: a proxy or a tunnel on it looks the same.
    case signIn
  }

  /// What happens with a request.
  enum Decision: Equatable, Sendable {
    /// It is answered.
    case admitted(StoredCredential?)
    /// It is sent on to HTTPS.
    case redirected(String)
    /// It came without encryption and can't be redirected, or it names a host that isn't ours.
    case refused(HTTPResponse.Status, String)
    /// It needs a session; a page leads to the sign-in page.
    case signIn(isPage: Bool, asksForKey: Bool)
  }

  /// Which readers have to sign in.
  var mode = Mode.loopback
  /// Whether the server has HTTPS of its own.
  var hasTLS = false
  /// The path below which the site is, for the address by HTTPS.
  var basePath = BasePath()
  /// The names by which clients may address this server.
  var allowedHosts = HostNames()
  /// The devices and keys; nil if there is no sign-in.
  var access: AccessControl?
  /// The hash of the key that proves that a request comes from this machine's user; nil if there is none.
  var machineKey: CredentialHash?

  /// Whether a request can be answered from memory: it is allowed, and its response needs no cookie.
  func admitsAtOnce(_ head: HTTPRequest, from client: ClientAddress) -> Bool {
    if mode == .loopback { return true }
    guard case .admitted(let credential) = decision(on: head, from: client) else { return false }
    return credential.map { access?.isRenewalDue($0) != true } ?? true
  }

  /// Whether the response to a request is for signed-in readers alone.
  func guards(_ head: HTTPRequest) -> Bool {
    mode == .signIn && !RequestKind.isOpen(RequestKind.path(of: head))
  }

  /// Decides on a request.
  func decision(on head: HTTPRequest, from client: ClientAddress) -> Decision {
    if mode == .loopback { return .admitted(nil) }
    if isByMachineUser(head) { return .admitted(session(of: head)) }
    let path = RequestKind.path(of: head)
    // The machine's own browser doesn't trust the household's authority yet.
    if hasTLS, head.scheme != "https", !RequestKind.isLocal(head, from: client) {
      return withoutEncryption(head, path)
    }
    if mode == .open || RequestKind.isOpen(path) || head.isSignedInByProxy {
      return .admitted(session(of: head))
    }
    if let session = session(of: head) { return .admitted(session) }
    if head.method == .get || head.method == .head, RequestKind.isForKeys(path),
      let secret = AccessKeyField.secret(in: head), let key = access?.credential(secret, .key)
    {
      return .admitted(key)
    }
    return .signIn(
      isPage: RequestKind.isNavigation(head),
      asksForKey: RequestKind.fetchMode(of: head) == nil && RequestKind.isForPrograms(path)
    )
  }

  /// Whether a request has the key that only this machine's user can read.
  func isByMachineUser(_ head: HTTPRequest) -> Bool {
    guard let machineKey, let text = MachineKeyField.key(in: head) else { return false }
    return AccessToken.hash(of: text) == machineKey
  }

  /// Looks in a shared store for a session or key that another node may have just made.
  /// - Returns: whether there is one; then the decision may differ.
  func learn(from head: HTTPRequest) async throws(StoreError) -> Bool {
    guard let access else { return false }
    if let secret = SessionCookie.secret(in: head), try await access.learn(secret) { return true }
    if let secret = AccessKeyField.secret(in: head), try await access.learn(secret) { return true }
    return false
  }

  private func session(of head: HTTPRequest) -> StoredCredential? {
    guard let access, let secret = SessionCookie.secret(in: head) else { return nil }
    return access.credential(secret, .session)
  }

  /// Without encryption, the server answers only with what the start page needs, and with redirects to HTTPS.
  private func withoutEncryption(_ head: HTTPRequest, _ path: Substring) -> Decision {
    // A second line: ``RequestGate`` has checked it.
    let named = HostField(head.authority)
    guard let host = named, allowedHosts.allows(host) else {
      return .refused(.misdirectedRequest, HostNames.rejection(of: named))
    }
    if RequestKind.isForStart(path), head.method == .get || head.method == .head { return .admitted(nil) }
    if head.headerFields[.authorization] != nil || AccessKeyField.secret(inAddressOf: head) != nil {
      return .refused(
        .forbidden,
        "The access key came without encryption. Use https in the address, and make a new key."
      )
    }
    guard head.method == .get || head.method == .head else {
      return .refused(.forbidden, "This came without encryption. Use https in the address.")
    }
    let name = host.name.contains(":") ? "[\(host.name)]" : host.name
    return .redirected("https://\(name)\(host.port)\(head.basePath(or: basePath).text)\(head.path ?? "/")")
  }
}

/// What kind of answer a request expects, as far as signing in is concerned.
enum RequestKind {
  /// The path of a request, without the query.
  static func path(of head: HTTPRequest) -> Substring {
    (head.path ?? "/").prefix { $0 != "?" }
  }

  /// Whether a stranger may read it: what the sign-in and start pages need, and the health check.
  static func isOpen(_ path: Substring) -> Bool {
    switch path {
    case "/sign-in", "/start", "/ca.crt", "/healthz", "/ready", "/favicon.ico", "/manifest.webmanifest",
      BasePathController.outside, BasePathController.slashless:
      true
    default: path.hasPrefix("/assets/") && !path.dropFirst(8).contains("/")
    }
  }

  /// Whether a device without trust in the authority may read it without encryption.
  static func isForStart(_ path: Substring) -> Bool {
    path == "/start" || path == "/ca.crt"
  }

  /// Whether programs read it: feeds, catalogues, the API, comics in xkcd's format.
  static func isForPrograms(_ path: Substring) -> Bool {
    ["/feed.", "/feeds/", "/opds/", "/api/"].contains { path.hasPrefix($0) } || path == "/opds"
      || path == "/api"
      || path == "/oembed" || path == "/metrics" || path.hasSuffix("/info.0.json")
      || path.hasSuffix("/comic.cbz") || isCanvas(path)
  }

  /// Whether it is a comic's picture of a size that the address names.
  private static func isCanvas(_ path: Substring) -> Bool { path == "/latest.png" || path == "/random.png" }

  /// Whether it is a page for a frame on another site's page.
  static func isFrame(_ path: Substring) -> Bool { path.hasPrefix("/embed/") }

  /// Whether its access key may be in its address: dashboards and frames can't send it in another way.
  static func takesKeyInAddress(_ path: Substring) -> Bool {
    isFrame(path) || isCanvas(path)
      || path.hasPrefix("/comics/") && (path.hasSuffix("/image") || path.hasSuffix("/image@2x"))
  }

  /// Whether an access key opens it: what programs read, frames, and the pictures in them.
  static func isForKeys(_ path: Substring) -> Bool {
    isForPrograms(path) || isFrame(path) || path == "/explanations" || path.hasPrefix("/explanations/")
      || (path.hasPrefix("/comics/") && path.dropFirst(8).contains("/"))
      || (path.hasPrefix("/albums/") && path.hasSuffix("/cover"))
  }

  /// Whether a browser opens it as a page.
  static func isNavigation(_ head: HTTPRequest) -> Bool {
    if let mode = fetchMode(of: head) { return mode == "navigate" }
    return head.headerFields[.accept]?.contains("text/html") ?? false
  }

  /// How a browser makes the request (Fetch Metadata); nil for programs and old browsers.
  static func fetchMode(of head: HTTPRequest) -> String? {
    fetchModeName.flatMap { head.headerFields[$0] }
  }

  private static let fetchModeName = HTTPField.Name("Sec-Fetch-Mode")

  /// Whether the request comes from this machine itself: from a loopback address, to a loopback address, and without
  /// the header fields that proxies and tunnels add.
  static func isLocal(_ head: HTTPRequest, from client: ClientAddress) -> Bool {
    client.isLoopback && HostField(head.authority)?.isLoopback == true && !isForwarded(head)
  }

  /// Whether a proxy or a tunnel says that it passed the request on.
  static func isForwarded(_ head: HTTPRequest) -> Bool {
    head.headerFields.contains { field in forwarding.contains(field.name) }
  }

  /// Whether no proxy that speaks HTTP is between a browser and this server.
  ///
  /// Browsers ask to keep the connection, and proxies don't pass that on (RFC 9110, section 7.6.1), also those that add no fields of
  /// their own, as nginx with nothing but `proxy_pass`. A tunnel looks like the browser.
  static func isDirect(_ head: HTTPRequest) -> Bool {
    head.headerFields[.connection]?.lowercased().contains("keep-alive") ?? false
  }

  /// Whether a browser opens a page with this request.
  static func opensPage(_ head: HTTPRequest) -> Bool {
    head.headerFields.contains { $0.name == upgradeInsecureRequests }
  }

  private static let upgradeInsecureRequests = HTTPField.Name("Upgrade-Insecure-Requests")

  private static let forwarding: [HTTPField.Name] =
    ForwardedFields.all + ForwardedFields.own + ["X-Real-IP", "Via"].compactMap { HTTPField.Name($0) }
}

/// The cookie of a device that signed in.
enum SessionCookie {
  /// Browsers send a cookie with this prefix only by HTTPS, and no other host or path can have set it (RFC 6265bis,
  /// section 4.1.3.2).
  static let secureName = "__Host-longbox-session"
  /// The name without HTTPS, where browsers reject the prefix.
  static let plainName = "longbox-session"

  /// The secret in a request; nil if there is none.
  static func secret(in head: HTTPRequest) -> Substring? {
    let name = head.isSecure ? secureName : plainName
    for field in head.headerFields where field.name == .cookie {
      for pair in field.value.utf8.split(separator: UInt8(ascii: ";")) {
        let pair = pair.drop { $0 == UInt8(ascii: " ") }
        guard pair.starts(with: name.utf8), pair.dropFirst(name.utf8.count).first == UInt8(ascii: "=") else {
          continue
        }
        return Substring(pair.dropFirst(name.utf8.count + 1))
      }
    }
    return nil
  }

  /// The `Set-Cookie` value.
  /// - Parameters:
  ///   - secret: the session's secret; empty to sign out.
  ///   - seconds: how long the browser keeps it.
  ///   - isSecure: whether the connection is encrypted.
  static func header(_ secret: some StringProtocol, for seconds: Int, isSecure: Bool) -> String {
    let (name, secure) = isSecure ? (secureName, "; Secure") : (plainName, "")
    return "\(name)=\(secret); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Lax\(secure)"
  }
}

extension Hummingbird.Response {
  /// Sets the cookie of a session.
  /// - Parameters:
  ///   - secret: the session's secret; empty to sign out.
  ///   - seconds: how long the browser keeps it; as long as an unused session lasts if nil.
  ///   - request: the request, which may be encrypted.
  mutating func setSession(
    _ secret: some StringProtocol,
    for seconds: Int? = nil,
    to request: Hummingbird.Request
  ) {
    let seconds = seconds ?? Int(AccessControl.idleLimit)
    let header = SessionCookie.header(secret, for: seconds, isSecure: request.isSecure)
    headers.append(.init(name: .setCookie, value: header))
  }
}

/// The key in a `Longbox-Machine-Key` field, by which the command line proves that it is used by the server's own user.
///
/// The server writes the key into a file of its data folder with mode 0600, and makes another at each start.
public enum MachineKeyField {
  public static let name = "Longbox-Machine-Key"

  private static let fieldName = HTTPField.Name(name)

  static func key(in head: HTTPRequest) -> String? {
    fieldName.flatMap { head.headerFields[$0] }
  }
}

/// The access key of a request: in its `Authorization` field the password of Basic (RFC 7617) or a Bearer token (RFC 6750), or in
/// some addresses a parameter.
enum AccessKeyField {
  /// The name of the parameter.
  static let parameter = "key"

  static func secret(in head: HTTPRequest) -> String? {
    secret(inFieldOf: head) ?? secret(inAddressOf: head)
  }

  /// The key in the address of what takes it there; nil for a text that can't be a key.
  static func secret(inAddressOf head: HTTPRequest) -> String? {
    let path = RequestKind.path(of: head)
    guard let address = head.path, address.utf8.count > path.utf8.count, RequestKind.takesKeyInAddress(path)
    else {
      return nil
    }
    let fields = address.utf8.dropFirst(path.utf8.count + 1).split(separator: UInt8(ascii: "&"))
    let start = "\(parameter)=".utf8
    guard let field = fields.first(where: { $0.starts(with: start) }) else { return nil }
    let secret = field.dropFirst(start.count)
    guard secret.count == AccessToken.length, secret.allSatisfy(Self.isOfKey) else { return nil }
    return String(Substring(secret))
  }

  /// Whether a byte is of base64url.
  private static func isOfKey(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
  }

  private static func secret(inFieldOf head: HTTPRequest) -> String? {
    guard let field = head.headerFields[.authorization], field.utf8.count <= 1024 else { return nil }
    let parts = field.split(separator: " ", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    switch parts[0].lowercased() {
    case "bearer": return String(parts[1])
    case "basic":
      guard let data = Data(base64Encoded: String(parts[1])) else { return nil }
      let text = String(decoding: data, as: UTF8.self)
      guard let colon = text.firstIndex(of: ":") else { return nil }
      return String(text[text.index(after: colon)...])
    default: return nil
    }
  }
}
