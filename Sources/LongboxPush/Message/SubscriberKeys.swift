// Longbox
// SPDX-License-Identifier: MIT

import Crypto

/// The keys of a subscription, with which its messages are encrypted (RFC 8291, section 2).
public struct SubscriberKeys: Sendable {
  /// Why the browser's keys are invalid.
  public enum Problem: Error, Equatable, Sendable {
    /// The public key isn't a point on P-256.
    case publicKey
    /// The secret doesn't have 16 bytes.
    case secret
  }

  let publicKey: P256.KeyAgreement.PublicKey
  /// The public key, unparsed.
  let point: [UInt8]
  let secret: [UInt8]

  /// Parses the keys of a subscription.
  /// - Parameters:
  ///   - publicKey: `p256dh`, an uncompressed P-256 point, 65 bytes.
  ///   - secret: `auth`, 16 bytes.
  public init(publicKey: [UInt8], secret: [UInt8]) throws(Problem) {
    guard publicKey.count == 65 else { throw .publicKey }
    do {
      self.publicKey = try P256.KeyAgreement.PublicKey(x963Representation: publicKey)
    } catch {
      throw .publicKey
    }
    point = publicKey
    guard secret.count == 16 else { throw .secret }
    self.secret = secret
  }
}

extension SubscriberKeys.Problem: CustomStringConvertible {
  /// A sentence that says which key is wrong.
  public var description: String {
    switch self {
    case .publicKey: "The key p256dh has to be an uncompressed point of the curve P-256, 65 bytes."
    case .secret: "The key auth has to have 16 bytes."
    }
  }
}
