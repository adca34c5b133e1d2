// Longbox
// SPDX-License-Identifier: MIT

import Crypto
import Foundation

/// The encryption of messages, which only the browser can take off: RFC 8291 over the content coding `aes128gcm` of RFC 8188,
/// one record.
enum MessageEncryption {
  /// The length of the random salt.
  static let saltLength = 16
  private static let recordSize: UInt32 = 4096
  private static let publicKeyLength = 65
  /// What encryption adds to a text: salt, record size, length of the key and the key before it; delimiter and tag after it.
  static let overhead = saltLength + 4 + 1 + publicKeyLength + 1 + 16

  /// Encrypts a text.
  /// - Parameters:
  ///   - text: at most ``PushMessage/longestText`` bytes.
  ///   - subscriber: whom it is for.
  ///   - padding: how many zeros follow the text, so that its length tells less.
  ///   - key: made for this message alone.
  ///   - salt: 16 random bytes, for this message alone.
  static func encrypt(
    _ text: [UInt8],
    for subscriber: SubscriberKeys,
    padding: Int = 0,
    with key: P256.KeyAgreement.PrivateKey,
    salt: [UInt8]
  ) throws -> [UInt8] {
    let ours = key.publicKey.x963Representation
    let shared = try key.sharedSecretFromKeyAgreement(with: subscriber.publicKey)
    // RFC 8291, section 3.4: both public keys and the secret go into what the content's keys are made of.
    let material = shared.hkdfDerivedSymmetricKey(
      using: SHA256.self,
      salt: subscriber.secret,
      sharedInfo: Data("WebPush: info\0".utf8) + subscriber.publicKey.x963Representation + ours,
      outputByteCount: 32
    )
    // RFC 8188, sections 2.2 and 2.3.
    let contentKey = derived(from: material, salt: salt, "Content-Encoding: aes128gcm\0", count: 16)
    let nonce = derived(from: material, salt: salt, "Content-Encoding: nonce\0", count: 12)
    // A 2 ends the text of the last record.
    let record = text + [2] + [UInt8](repeating: 0, count: padding)
    let sealed = try nonce.withUnsafeBytes { nonce in
      try AES.GCM.seal(record, using: contentKey, nonce: AES.GCM.Nonce(data: nonce))
    }
    let header = salt + withUnsafeBytes(of: recordSize.bigEndian) { Array($0) } + [UInt8(ours.count)]
    return header + ours + sealed.ciphertext + sealed.tag
  }

  private static func derived(
    from material: SymmetricKey,
    salt: [UInt8],
    _ info: String,
    count: Int
  ) -> SymmetricKey {
    HKDF<SHA256>.deriveKey(
      inputKeyMaterial: material,
      salt: salt,
      info: Array(info.utf8),
      outputByteCount: count
    )
  }
}
