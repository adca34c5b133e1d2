// Longbox
// SPDX-License-Identifier: MIT

import Crypto
import Foundation

/// A place to announce new comics at: an address of a service, spelled as Apprise spells it.
///
/// The address is a secret. ``name`` and what ``hiding(secretsIn:)`` returns may be shown.
public struct Hook: Identifiable, Sendable {
  public enum Outcome: Equatable, Sendable {
    /// The service acknowledged it.
    case delivered
    /// Try it again later, not before what the service wants.
    case later(after: Duration?, reason: String)
    /// The service refuses it.
    case rejected(reason: String)

    public var sentence: String {
      switch self {
      case .delivered: "The service has taken it."
      case .later(_, let reason), .rejected(let reason): reason
      }
    }
  }

  /// The SHA-256 of the address.
  public let id: [UInt8]
  /// The service and its host, such as `ntfy at ntfy.example.org`.
  public let name: String
  /// Whether messages have the comic's alt text.
  let showsAltText: Bool
  let service: HookService
  let target: HookTarget
  private let secrets: [String]

  public static let most = 20

  /// Reads an address.
  /// - Parameters:
  ///   - text: the address.
  ///   - showsAltText: whether messages have the comic's alt text, unless `alt=yes` or `alt=no` in the address says so.
  /// - Throws: ``HookAddressProblem``.
  public init(_ text: String, showsAltText: Bool = false) throws(HookAddressProblem) {
    let scheme = text.prefix { $0 != ":" }.lowercased()
    guard let service = HookService.all.first(where: { $0.schemes.contains(scheme) }) else {
      throw HookAddressProblem(scheme: "", expected: HookService.all.map(\.spelling).joined(separator: ", "))
    }
    guard let address = HookAddress(text), address.scheme == scheme, let target = service.target(address),
      URL(string: target.url) != nil
    else { throw HookAddressProblem(scheme: scheme, expected: service.spelling) }
    switch service.isPlain ? nil : address.query["alt"]?.lowercased() {
    case nil: self.showsAltText = showsAltText
    case "yes", "true", "1": self.showsAltText = true
    case "no", "false", "0": self.showsAltText = false
    default:
      throw HookAddressProblem(scheme: scheme, expected: "\(service.spelling), and “alt” in it yes or no")
    }
    id = Array(SHA256.hash(data: Array(text.utf8)))
    let host = target.url.split(separator: "/").dropFirst().first.map(String.init) ?? ""
    name = "\(service.name) at \(host)"
    self.service = service
    self.target = target
    var secrets = [address.user, address.password, address.rest].compactMap(\.self) + address.path
    secrets += address.query.values
    if !target.showsAuthority { secrets.append(address.authority) }
    secrets += secrets.map(\.asPathPart)
    self.secrets = secrets.filter { $0.count >= 4 }.sorted { $0.count > $1.count }
  }

  /// A text from elsewhere, such as an error, with the parts of the address replaced by `…`.
  public func hiding(secretsIn text: String) -> String {
    secrets.reduce(text) { $0.replacingOccurrences(of: $1, with: "…") }
  }

  /// An id for the delivery of a comic, the same for all its tries, so that a receiver can see that it has it already.
  public func deliveryID(of comic: Int) -> String {
    SHA256.hash(data: id + Array("\(comic)".utf8)).prefix(16).hexadecimal
  }
}

extension Sequence<UInt8> {
  /// The bytes as hexadecimal digits in lower case.
  var hexadecimal: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}

/// Says why an address is no hook, without its secrets.
public struct HookAddressProblem: Error, Equatable {
  /// The scheme, if it is known.
  public let scheme: String
  /// What is expected.
  public let expected: String
}

/// What a hook says about a comic.
public struct HookMessage: Sendable {
  public var number: Int
  public var title: String
  /// The comic's address on this server, or on xkcd.com.
  public var link: String
  /// The public address of its picture; nil if it has none.
  public var picture: String?
  public var altText: String
  /// The body for a plain hook: JSON.
  public var json: [UInt8]
  /// Whether it is only a test.
  public var isTest: Bool

  public init(
    number: Int,
    title: String,
    link: String,
    picture: String?,
    altText: String,
    json: [UInt8],
    isTest: Bool = false
  ) {
    self.number = number
    self.title = title
    self.link = link
    self.picture = picture
    self.altText = altText
    self.json = json
    self.isTest = isTest
  }

  var heading: String { isTest ? "A test from Longbox" : "New xkcd comic" }
  var numberedTitle: String { "\(number): \(title.prefix(200))" }
  /// At most 1,000 characters of the alt text, which fit all services; nil if it isn't wanted.
  func altText(for hook: Hook) -> String? {
    hook.showsAltText && !altText.isEmpty ? String(altText.prefix(1000)) : nil
  }
}

/// The parts of a hook's address, `scheme://user:password@host/path?name=value`.
///
/// Hosts and ports are not checked here: several services have a token in that place.
struct HookAddress {
  /// In lower case.
  let scheme: String
  /// What is before `@`, decoded, split at the first colon.
  let user, password: String?
  /// What is between `//` or `@` and the path, as it was written.
  let authority: String
  /// The parts of the path, decoded, without empty ones.
  let path: [String]
  /// The path and the query as they were written.
  let rest: String
  /// The query's values by their names in lower case, decoded.
  let query: [String: String]

  /// The longest address, in bytes.
  static let limit = 2048

  /// Splits an address; nil if it is too long, has odd characters, or has no scheme or nothing after it.
  init?(_ text: String) {
    guard text.utf8.count <= Self.limit, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x23 }),
      let separator = text.range(of: "://")
    else { return nil }
    scheme = text[..<separator.lowerBound].lowercased()
    let all = text[separator.upperBound...]
    let main = all.prefix { $0 != "?" }
    let named = main.prefix { $0 != "/" }
    if let at = named.firstIndex(of: "@") {
      let parts = named[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      user = parts[0].removingPercentEncoding
      password = parts.count > 1 ? parts[1].removingPercentEncoding : nil
      authority = String(named[named.index(after: at)...])
    } else {
      (user, password) = (nil, nil)
      authority = String(named)
    }
    guard !scheme.isEmpty, !authority.isEmpty else { return nil }
    rest = String(all[named.endIndex...])
    path = main[named.endIndex...].split(separator: "/").compactMap(\.removingPercentEncoding)
    query = all[main.endIndex...].dropFirst().split(separator: "&").reduce(into: [:]) { query, item in
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      query[parts[0].lowercased()] = parts.count > 1 ? parts[1].removingPercentEncoding ?? "" : ""
    }
  }

  /// The authority if it is a host, perhaps with a port; with the service's own port if it names none.
  func host(port: Int? = nil) -> String? {
    let allowed = authority.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
      case UInt8(ascii: "0")...UInt8(ascii: "9"): true
      default: ".-_:[]".utf8.contains(byte)
      }
    }
    guard allowed, let parts = URLComponents(string: "http://\(authority)"), let name = parts.host,
      !name.isEmpty,
      (1...65_535).contains(parts.port ?? 80)
    else { return nil }
    return parts.port == nil ? port.map { "\(authority):\($0)" } ?? authority : authority
  }
}

extension String {
  /// The text as one part of a path: everything but unreserved characters is encoded (RFC 3986, section 2.3).
  var asPathPart: String {
    let unreserved = CharacterSet(charactersIn: "a"..."z").union(CharacterSet(charactersIn: "A"..."Z"))
      .union(CharacterSet(charactersIn: "0"..."9")).union(CharacterSet(charactersIn: "-._~"))
    return addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
  }

  /// Whether it is one or more ASCII letters, digits, `-`, `_`, or one of the given characters.
  func isToken(or others: String = "") -> Bool {
    !isEmpty
      && utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: others.utf8.contains(byte)
        }
      }
  }
}
