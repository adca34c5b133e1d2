// Longbox
// SPDX-License-Identifier: MIT

import Crypto
import Foundation

/// The server's P-256 key pair, which identifies it to push services (RFC 8292).
///
/// Browsers bind a subscription to the public key. With another pair, all readers would have to subscribe
/// again, so the key is never replaced automatically.
public struct VAPIDKeys: Sendable {
  let privateKey: P256.Signing.PrivateKey

  /// Makes new keys.
  public init() {
    self.init(P256.Signing.PrivateKey())
  }

  init(_ privateKey: P256.Signing.PrivateKey) {
    self.privateKey = privateKey
  }

  /// The public key for browsers (`applicationServerKey`): an uncompressed point in base64url.
  public var publicKey: String { Base64URL.encode(privateKey.publicKey.x963Representation) }

  /// The `Authorization` header for one push service (RFC 8292, section 3).
  ///
  /// It is a token with the audience, the expiry and the contact, signed with ES256 (RFC 7515, RFC 7518).
  /// - Parameters:
  ///   - service: the push service.
  ///   - contact: the operator's `mailto:` or `https:` address; some services require one.
  ///   - expiry: at most a day from now.
  func authorization(for service: PushEndpoint.Origin, contact: String?, until expiry: Date) throws -> String
  {
    let claims = Claims(aud: service.description, exp: Int(expiry.timeIntervalSince1970), sub: contact)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let signed =
      Base64URL.encode(#"{"alg":"ES256","typ":"JWT"}"#.utf8) + "."
      + Base64URL.encode(try encoder.encode(claims))
    let signature = try privateKey.signature(for: Data(signed.utf8)).rawRepresentation
    // No space after the comma: some parsers reject it.
    return "vapid t=\(signed).\(Base64URL.encode(signature)),k=\(publicKey)"
  }

  private struct Claims: Encodable {
    let aud: String
    let exp: Int
    let sub: String?
  }

  /// The keys as PKCS #8 in PEM.
  public var pem: String { privateKey.pemRepresentation + "\n" }

  /// Reads keys; nil if the text has none.
  public init?(pem: String) {
    guard let key = try? P256.Signing.PrivateKey(pemRepresentation: pem) else { return nil }
    self.init(key)
  }
}

/// The operator's address for push services (`LONGBOX_CONTACT`), which they want to know who sends (RFC 8292, section 2.1).
///
/// Some refuse all messages with an address that is not a `mailto:` or `https:` URI, or that is of a private network.
public struct PushContact: Equatable, Sendable {
  /// What is wrong with a contact.
  public struct Problem: Equatable, Sendable {
    /// What is wrong, in a sentence or two.
    public let text: String
    /// What to do.
    public let advice: String
  }

  /// What push services get, a `mailto:` or `https:` URI; nil if the contact has none that they take.
  public let address: String?
  /// Why push services don't get it as it is; nil if they do.
  public let problem: Problem?

  /// Reads a contact: an e-mail address, perhaps with a name before it, or an https address.
  public init(_ text: String) {
    let (bare, hasName) = Self.withoutName(text)
    let host: String?
    let uri: String?
    if bare.utf8.starts(with: "https://".utf8), bare.utf8.allSatisfy(Self.isPlain) {
      host = String(bare.dropFirst(8).prefix { !"/?#:".contains($0) })
      uri = String(bare)
    } else if let (local, domain) = Self.parts(of: bare) {
      host = String(domain)
      uri = "mailto:" + Self.encoded(local) + "@" + domain.lowercased()
    } else {
      (host, uri) = (nil, nil)
    }
    let setting = "LONGBOX_CONTACT is “\(text)”"
    let lost = "Notifications are sent without a contact, and Apple's push service takes none without one."
    let advice =
      "Set it to an e-mail address or an https address that others can use, such as you@example.org."
    guard let host, let uri else {
      address = nil
      problem = Problem(
        text: "\(setting), which is neither an e-mail address nor an https address. \(lost)",
        advice: advice
      )
      return
    }
    guard Self.isPublic(host) else {
      address = nil
      problem = Problem(
        text:
          "\(setting), but \(host) is not a public name, and push services refuse such a contact. \(lost)",
        advice: advice
      )
      return
    }
    address = uri
    problem =
      hasName
      ? Problem(
        text: "\(setting). Push services take no name beside the address, so they get \(uri).",
        advice: "Set it to the address alone."
      ) : nil
  }

  /// The address in `Name <me@example.org>` or `mailto:me@example.org`, and whether there is a name.
  private static func withoutName(_ text: String) -> (Substring, hasName: Bool) {
    var bare = text[...]
    while bare.first == " " { bare.removeFirst() }
    while bare.last == " " { bare.removeLast() }
    var hasName = false
    if bare.last == ">", let start = bare.firstIndex(of: "<") {
      bare = bare[bare.index(after: start)...].dropLast()
      hasName = true
    }
    if bare.prefix(7).lowercased() == "mailto:" { bare = bare.dropFirst(7) }
    return (bare, hasName)
  }

  /// The parts of an e-mail address without quotes and comments (RFC 5322, section 3.4.1); nil if it isn't one.
  private static func parts(of address: Substring) -> (local: Substring, domain: Substring)? {
    let parts = address.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, (1...64).contains(parts[0].utf8.count), !parts[1].isEmpty else { return nil }
    let dotted = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    guard dotted.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(isOfAtom) }) else { return nil }
    return (parts[0], parts[1])
  }

  /// Whether a host has a name of the public DNS.
  private static func isPublic(_ host: String) -> Bool {
    guard let origin = PushEndpoint.Origin("https://\(host)") else { return false }
    return (try? origin.checkIsPublic()) != nil
  }

  private static func isOfAtom(_ byte: UInt8) -> Bool {
    isAlphanumeric(byte) || "!#$%&'*+-/=?^_`{|}~".utf8.contains(byte)
  }

  /// Whether a byte may be in a URI (RFC 3986, section 2).
  private static func isPlain(_ byte: UInt8) -> Bool {
    isAlphanumeric(byte) || "-._~:/?#[]@!$&'()*+,;=%".utf8.contains(byte)
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "a")...UInt8(ascii: "z"): true
    default: false
    }
  }

  /// The local part as a `mailto:` URI has it (RFC 6068, section 2).
  private static func encoded(_ local: Substring) -> String {
    let digits = Array("0123456789ABCDEF")
    return local.utf8.reduce(into: "") { text, byte in
      if isAlphanumeric(byte) || "-._~!$'*+".utf8.contains(byte) {
        text.append(Character(Unicode.Scalar(byte)))
      } else {
        text += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      }
    }
  }
}
