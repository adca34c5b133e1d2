// Longbox
// SPDX-License-Identifier: MIT

import Crypto
import Foundation

/// Encrypts messages by RFC 8291, over the content coding `aes128gcm` of RFC 8188 with one record.
enum MessageEncryption {
  static let saltLength = 16
  private static let recordSize: UInt32 = 4096
  private static let publicKeyLength = 65
  /// The bytes added by encryption: salt, record size, key length and key; text; delimiter and tag.
  static let overhead = saltLength + 4 + 1 + publicKeyLength + 1 + 16

  /// Encrypts a text.
  /// - Parameters:
  ///   - text: at most ``Message/longestText`` bytes.
  ///   - subscriber: the recipient.
  ///   - padding: the number of zeros after the text, which hide its length.
  ///   - key: used for this message only.
  ///   - salt: 16 random bytes, used for this message only.
  static func encrypt(
    _ text: [UInt8],
    for subscriber: SubscriberKeys,
    padding: Int = 0,
    with key: P256.KeyAgreement.PrivateKey = P256.KeyAgreement.PrivateKey(),
    salt: [UInt8] = newSalt()
  ) throws -> [UInt8] {
    let ours = key.publicKey.x963Representation
    let shared = try key.sharedSecretFromKeyAgreement(with: subscriber.publicKey)
    // RFC 8291, section 3.4: both public keys and the secret enter the key derivation.
    let keyMaterial = shared.hkdfDerivedSymmetricKey(
      using: SHA256.self,
      salt: subscriber.secret,
      sharedInfo: keyInfo + subscriber.point + ours,
      outputByteCount: 32
    )
    // RFC 8188, sections 2.2 and 2.3.
    let contentKey = derive(contentKeyInfo, length: 16, from: keyMaterial, salt: salt)
    let nonce = try AES.GCM.Nonce(
      data: derive(nonceInfo, length: 12, from: keyMaterial, salt: salt).withUnsafeBytes { Data($0) }
    )
    // The delimiter 2 marks the last record.
    let record = text + [2] + [UInt8](repeating: 0, count: padding)
    let sealed = try AES.GCM.seal(record, using: contentKey, nonce: nonce)
    let header = salt + withUnsafeBytes(of: recordSize.bigEndian) { Array($0) } + [UInt8(ours.count)]
    return header + ours + sealed.ciphertext + sealed.tag
  }

  /// HKDF with SHA-256 (RFC 5869).
  private static func derive(
    _ info: [UInt8],
    length: Int,
    from key: SymmetricKey,
    salt: [UInt8]
  ) -> SymmetricKey {
    HKDF<SHA256>.deriveKey(inputKeyMaterial: key, salt: salt, info: info, outputByteCount: length)
  }

  private static let keyInfo = Array("WebPush: info\0".utf8)
  private static let contentKeyInfo = Array("Content-Encoding: aes128gcm\0".utf8)
  private static let nonceInfo = Array("Content-Encoding: nonce\0".utf8)

  private static func newSalt() -> [UInt8] {
    SymmetricKey(size: .bits128).withUnsafeBytes { Array($0) }
  }
}
