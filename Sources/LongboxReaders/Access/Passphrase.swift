// Longbox
// SPDX-License-Identifier: MIT

import Crypto
import CryptoExtras
import Foundation

/// Why a passphrase can't be taken; each description is a sentence.
public enum PassphraseError: Error, Equatable, Sendable, CustomStringConvertible {
  /// It has too few characters.
  case tooShort
  /// It has too many characters.
  case tooLong

  /// The minimum number of characters.
  public static let least = 8
  /// The maximum number of characters.
  public static let most = 200

  public static func check(_ passphrase: String) throws(PassphraseError) {
    if passphrase.count < least { throw .tooShort }
    if passphrase.count > most { throw .tooLong }
  }

  /// A sentence that says what to do.
  public var description: String {
    switch self {
    case .tooShort:
      "The passphrase is too short: use at least \(Self.least) characters. Four random words are easy to remember and hard to guess."
    case .tooLong: "The passphrase is too long: use at most \(Self.most) characters."
    }
  }
}

/// The salted hash of a passphrase by scrypt (RFC 7914), with its parameters.
///
/// The parameters are those of OWASP's Password Storage Cheat Sheet for 32 MiB: N = 2^15, r = 8, p = 3.
struct PassphraseHash: Equatable, Sendable {
  /// The cost of one hash.
  struct Cost: Equatable, Sendable {
    var logRounds = 15
    var blockSize = 8
    var parallelism = 3
  }

  private static let length = 32
  let cost: Cost
  let salt: [UInt8]
  let hash: [UInt8]

  /// Hashes a passphrase with a random salt; it takes about a tenth of a second.
  init(of passphrase: String, cost: Cost = Cost()) throws {
    var random = SystemRandomNumberGenerator()
    let salt = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
    self.cost = cost
    self.salt = salt
    hash = try Self.derive(passphrase, salt, cost)
  }

  /// Reads a stored hash; nil if it isn't one.
  init?(_ text: String) {
    let parts = text.split(separator: "$")
    guard
      parts.count == 6, parts[0] == "scrypt", let rounds = Int(parts[1]), let size = Int(parts[2]),
      let parallelism = Int(parts[3]), let salt = Data(base64Encoded: String(parts[4])),
      let hash = Data(base64Encoded: String(parts[5])),
      (1...20).contains(rounds), (1...32).contains(size), (1...16).contains(parallelism),
      hash.count == Self.length
    else { return nil }
    cost = Cost(logRounds: rounds, blockSize: size, parallelism: parallelism)
    self.salt = [UInt8](salt)
    self.hash = [UInt8](hash)
  }

  /// The hash with its parameters, as it is stored.
  var text: String {
    let (salt, hash) = (Data(salt).base64EncodedString(), Data(hash).base64EncodedString())
    return "scrypt$\(cost.logRounds)$\(cost.blockSize)$\(cost.parallelism)$\(salt)$\(hash)"
  }

  /// Whether this is the hash of a passphrase; takes about a tenth of a second.
  func matches(_ passphrase: String) -> Bool {
    guard let other = try? Self.derive(passphrase, salt, cost) else { return false }
    // Comparing hashes of both takes the same time wherever they differ.
    return SHA256.hash(data: other) == SHA256.hash(data: hash)
  }

  /// Normalizes the text, because keyboards encode the same letters differently.
  private static func derive(_ passphrase: String, _ salt: [UInt8], _ cost: Cost) throws -> [UInt8] {
    let key = try KDF.Scrypt.deriveKey(
      from: Array(passphrase.precomposedStringWithCanonicalMapping.utf8),
      salt: salt,
      outputByteCount: length,
      rounds: 1 << cost.logRounds,
      blockSize: cost.blockSize,
      parallelism: cost.parallelism
    )
    return key.withUnsafeBytes { Array($0) }
  }
}
