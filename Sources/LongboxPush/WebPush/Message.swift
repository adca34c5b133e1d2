// Longbox
// SPDX-License-Identifier: MIT

import Crypto
import Foundation

/// A message for one browser, before it is encrypted.
public struct Message: Identifiable, Sendable {
  /// How much battery a device should spend to show a message soon (RFC 8030, section 5.3).
  public enum Urgency: String, Sendable {
    /// On power or Wi-Fi.
    case low
    /// On neither power nor Wi-Fi.
    case normal
    /// Even with a low battery.
    case high
  }

  /// Chosen by the sender; its ``DeliveryResult`` has the same.
  public let id: Int64
  public let endpoint: PushEndpoint
  public let keys: SubscriberKeys
  /// The text that the browser's service worker receives, at most ``longestText`` bytes.
  public let text: [UInt8]
  /// How long the push service keeps the message for an offline device, in seconds.
  public let timeToLive: Int
  /// How much battery a device should spend to show it soon.
  public let urgency: Urgency
  /// Replaces a waiting message of the same topic (RFC 8030, section 5.4); 32 of `[A-Za-z0-9_-]` at most.
  public let topic: String?

  public init(
    id: Int64 = 0,
    to endpoint: PushEndpoint,
    _ keys: SubscriberKeys,
    text: [UInt8],
    timeToLive: Int,
    urgency: Urgency = .normal,
    topic: String? = nil
  ) {
    self.id = id
    self.endpoint = endpoint
    self.keys = keys
    self.text = text
    self.timeToLive = timeToLive
    self.urgency = urgency
    self.topic = topic
  }

  /// The maximum length of a text: push services accept 4,096 encrypted bytes (RFC 8291, section 4).
  public static var longestText: Int { 4096 - MessageEncryption.overhead }
}

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

/// Encrypts messages by RFC 8291, over the content coding `aes128gcm` of RFC 8188 with one record.
enum MessageEncryption {
  private static let saltLength = 16
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
