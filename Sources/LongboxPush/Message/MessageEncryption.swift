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
  ///   - text: at most ``Message/longestText`` bytes.
  ///   - subscriber: whom it is for.
  ///   - padding: how many zeros follow the text, so that its length tells less.
  ///   - key: made for this message alone.
  ///   - salt: 16 random bytes, for this message alone.
  static func encrypt(
    _ text: [UInt8],
    for subscriber: SubscriberKeys,
    padding: Int = 0,
    with key: P256.KeyAgreement.PrivateKey = newKey(),
    salt: [UInt8] = newSalt()
  ) throws -> [UInt8] {
    let ours = key.publicKey.x963Representation
    let shared = try key.sharedSecretFromKeyAgreement(with: subscriber.publicKey)
    // RFC 8291, section 3.4: both public keys and the secret go into what the content's keys are made of.
    let keyMaterial = shared.withUnsafeBytes { shared in
      let extracted = authenticated(shared, with: subscriber.secret)
      return authenticated(keyInfo + subscriber.point + ours + [1], with: extracted)
    }
    // RFC 8188, sections 2.2 and 2.3.
    let pseudorandom = authenticated(keyMaterial, with: salt)
    let contentKey = SymmetricKey(data: authenticated(contentKeyInfo + [1], with: pseudorandom).prefix(16))
    let nonce = try AES.GCM.Nonce(data: authenticated(nonceInfo + [1], with: pseudorandom).prefix(12))
    // A 2 ends the text of the last record.
    let record = text + [2] + [UInt8](repeating: 0, count: padding)
    let sealed = try AES.GCM.seal(record, using: contentKey, nonce: nonce)
    let header = salt + withUnsafeBytes(of: recordSize.bigEndian) { Array($0) } + [UInt8(ours.count)]
    return header + ours + sealed.ciphertext + sealed.tag
  }

  /// HMAC-SHA-256, of which both RFCs build HKDF (RFC 5869): once to extract, and once more, with a 1 at the end, to expand to
  /// 32 bytes or fewer.
  private static func authenticated(
    _ data: some DataProtocol,
    with key: some ContiguousBytes
  ) -> [UInt8] {
    Array(HMAC<SHA256>.authenticationCode(for: data, using: SymmetricKey(data: key)))
  }

  private static let keyInfo = Array("WebPush: info\0".utf8)
  private static let contentKeyInfo = Array("Content-Encoding: aes128gcm\0".utf8)
  private static let nonceInfo = Array("Content-Encoding: nonce\0".utf8)

  /// A key for one message.
  ///
  /// A random number below the order of the group, by testing candidates (FIPS 186-5, appendix A.2.2): one in four thousand
  /// million is none. swift-crypto's own way signs with each new key and verifies that, which takes ten times as long.
  static func newKey() -> P256.KeyAgreement.PrivateKey {
    while true {
      let candidate = SymmetricKey(size: .bits256)
      let key = candidate.withUnsafeBytes { try? P256.KeyAgreement.PrivateKey(rawRepresentation: $0) }
      if let key { return key }
    }
  }

  private static func newSalt() -> [UInt8] {
    SymmetricKey(size: .bits128).withUnsafeBytes { Array($0) }
  }
}
