// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import LongboxCore
import LongboxPages

/// The path below which the whole site is, such as `/longbox`; empty if it has a host of its own.
///
/// The ``RequestGate`` removes it from requests; other code needs it only to write addresses. If the settings have none, a trusted
/// proxy may remove one and name it, for each request.
public struct BasePath: Equatable, Sendable {
  /// The maximum length in bytes: each address and each cookie repeats the path.
  private static let longest = 200
  private static let health: Set = ["/healthz", "/ready"]
  private static let anyPath = "; Path=/;"

  /// With a slash before it and none at its end; or empty.
  public let text: String

  public init() {
    text = ""
  }

  /// Reads a path, with a slash at its end or without; nil if it is malformed.
  ///
  /// Its parts have letters, digits, `-`, `_`, `.` and `~`, which need no encoding anywhere.
  public init?(_ text: String) {
    var path = text[...]
    if path.last == "/" { path.removeLast() }
    guard !path.isEmpty else {
      self.text = ""
      return
    }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard path.utf8.count <= Self.longest, parts.first == "",
      parts.dropFirst().allSatisfy({ part in
        !part.isEmpty && part != "." && part != ".."
          && part.utf8.allSatisfy { Self.isUnreserved($0) }
      })
    else { return nil }
    self.text = String(path)
  }

  /// Whether the site has a host of its own.
  public var isEmpty: Bool { text.isEmpty }

  /// The path in the form that pages take.
  var inPages: Text { Text(string: text) }

  /// A link's address with this path before it, for other programs.
  func address(of link: Link) -> String { text + link.address.description }

  /// The rest of a path below this one, with the slash before it and with its query; nil for any other path.
  func rest(of path: String) -> String? {
    guard !isEmpty else { return path }
    guard path.utf8.starts(with: text.utf8) else { return nil }
    let rest = path.utf8.dropFirst(text.utf8.count)
    return rest.first == UInt8(ascii: "/") ? String(Substring(rest)) : nil
  }

  /// Gives a request the path that it has without this one.
  ///
  /// Proxies pass the base path on, or ``Forwarding`` brings it back; a request without it gets what ``BasePathController``
  /// says. Only the health check answers at both paths.
  func remove(from head: inout HTTPRequest) {
    let path = head.path ?? "/"
    if let rest = rest(of: path) {
      head.path = rest
    } else if !Self.health.contains(path) {
      head.path =
        path.prefix { $0 != "?" } == text ? BasePathController.slashless : BasePathController.outside
      // The answer is the same for every method.
      if head.method != .head { head.method = .get }
    }
  }

  /// Puts this path before a redirect's path and the cookies' paths.
  func add(to head: inout HTTPResponse) {
    if let target = head.headerFields[.location], Link.isPath(Text(string: target)) {
      head.headerFields[.location] = text + target
    }
    let cookies = head.headerFields[values: .setCookie]
    guard !cookies.isEmpty else { return }
    head.headerFields[values: .setCookie] = cookies.map { cookie in
      // Browsers accept a cookie with this prefix only if its path is /.
      cookie.hasPrefix("__Host-") ? cookie : cookie.replacing(Self.anyPath, with: "; Path=\(text);")
    }
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "~"): true
    default: false
    }
  }
}

/// Where readers find this server.
public struct SiteAddress: Equatable, Sendable {
  /// The path below which it is.
  public let basePath: BasePath
  /// The operator's address; nil to use the address in each request.
  let publicAddress: PublicAddress?

  /// A server without a fixed address: links use the address in each request.
  /// - Parameter basePath: the path below which it is.
  public init(basePath: BasePath = BasePath()) {
    self.basePath = basePath
    publicAddress = nil
  }

  /// A server with a public address.
  public init(_ address: PublicAddress) {
    basePath = address.basePath
    publicAddress = address
  }

  /// The address for links from elsewhere: feeds, embeddings, QR codes.
  ///
  /// Nil if neither the operator nor the request names it.
  func address(of head: HTTPRequest) -> PublicAddress? {
    publicAddress
      ?? PublicAddress(
        authority: head.authority,
        isSecure: head.isSecure,
        basePath: head.basePath(or: basePath)
      )
  }

  /// What links start with that readers share: scheme, host, port and base path; nil if people elsewhere can't reach the server.
  var shared: String? { publicAddress.flatMap { $0.isPublic ? $0.root : nil } }

  /// The host's name in the address that the operator named, in lower case; nil for an IP address.
  public var publicName: String? {
    publicAddress.flatMap { HostField($0.authority) }.flatMap { $0.isAddress ? nil : $0.name }
  }
}
