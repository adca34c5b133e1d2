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
}
