// Longbox
// SPDX-License-Identifier: MIT

import Crypto
import Foundation

/// Who sends, to a push service: a key pair of P-256 that is made once and kept (RFC 8292).
///
/// Browsers bind a subscription to the public key, so with another pair nobody could be notified until they subscribe
/// anew: the key is never replaced unasked.
public struct VAPIDKeys: Sendable {
  let privateKey: P256.Signing.PrivateKey

  /// Makes a new pair.
  init(_ privateKey: P256.Signing.PrivateKey = P256.Signing.PrivateKey()) {
    self.privateKey = privateKey
  }

  /// The public key as browsers take it (`applicationServerKey`): an uncompressed point in base64url.
  public var publicKey: String { Base64URL.encode(privateKey.publicKey.x963Representation) }

  /// The value of `Authorization` for one push service (RFC 8292, section 3): a token that says for whom it is, how long
  /// it holds and who sends, signed with ES256 (RFC 7515, RFC 7518).
  /// - Parameters:
  ///   - service: the push service.
  ///   - contact: how its operators reach who runs this server, `mailto:` or `https:`; some services refuse who has none.
  ///   - expiry: until when it holds, at most a day from now.
  func authorization(for service: PushEndpoint.Origin, contact: String?, until expiry: Date) throws -> String
  {
    let claims = Claims(aud: service.description, exp: Int(expiry.timeIntervalSince1970), sub: contact)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let signed =
      Base64URL.encode(#"{"alg":"ES256","typ":"JWT"}"#.utf8) + "."
      + Base64URL.encode(try encoder.encode(claims))
    let signature = try privateKey.signature(for: Data(signed.utf8)).rawRepresentation
    // Without a space after the comma, which not all readers take.
    return "vapid t=\(signed).\(Base64URL.encode(signature)),k=\(publicKey)"
  }

  private struct Claims: Encodable {
    let aud: String
    let exp: Int
    let sub: String?
  }
}
