// Longbox
// SPDX-License-Identifier: MIT

package import Crypto
import Foundation

/// A browser that receives messages: it has the keys of a subscription and decrypts.
///
/// It implements the receiver's side of RFC 8188 and RFC 8291 independently.
package struct FakeBrowser: Sendable {
  package enum Problem: Error {
    case malformed
  }

  private let key: P256.KeyAgreement.PrivateKey
  /// The `auth` secret.
  package let secret: [UInt8]

  /// Creates a browser, by default with random keys.
  package init(
    key: P256.KeyAgreement.PrivateKey = P256.KeyAgreement.PrivateKey(),
    secret: [UInt8] = (0..<16).map { _ in .random(in: 0...255) }
  ) {
    self.key = key
    self.secret = secret
  }

  /// The `p256dh` key.
  package var publicKey: [UInt8] { Array(key.publicKey.x963Representation) }

  /// Decrypts a message and removes the padding.
  package func text(of body: [UInt8]) throws -> [UInt8] {
    guard body.count > 103, body[20] == 65 else { throw Problem.malformed }
    let (salt, sender, record) = (body[..<16], body[21..<86], body[86...])
    let theirs = try P256.KeyAgreement.PublicKey(x963Representation: sender)
    let shared = try key.sharedSecretFromKeyAgreement(with: theirs).withUnsafeBytes { Array($0) }
    let info = Array("WebPush: info".utf8) + [0] + publicKey + sender
    let material = Self.expanded(Self.extracted(salt: secret, from: shared), info, count: 32)
    let pseudorandom = Self.extracted(salt: Array(salt), from: material)
    let contentKey = Self.expanded(pseudorandom, Array("Content-Encoding: aes128gcm".utf8) + [0], count: 16)
    let nonce = Self.expanded(pseudorandom, Array("Content-Encoding: nonce".utf8) + [0], count: 12)
    let sealed = try AES.GCM.SealedBox(
      nonce: AES.GCM.Nonce(data: nonce),
      ciphertext: record.dropLast(16),
      tag: record.suffix(16)
    )
    let padded = try AES.GCM.open(sealed, using: SymmetricKey(data: contentKey))
    guard let end = padded.lastIndex(where: { $0 != 0 }), padded[end] == 2 else { throw Problem.malformed }
    return Array(padded[..<end])
  }

  /// HKDF (RFC 5869), in separate steps.
  private static func extracted(salt: [UInt8], from material: [UInt8]) -> [UInt8] {
    Array(HMAC<SHA256>.authenticationCode(for: material, using: SymmetricKey(data: salt)))
  }

  private static func expanded(_ key: [UInt8], _ info: [UInt8], count: Int) -> [UInt8] {
    Array(HMAC<SHA256>.authenticationCode(for: info + [1], using: SymmetricKey(data: key)).prefix(count))
  }
}
