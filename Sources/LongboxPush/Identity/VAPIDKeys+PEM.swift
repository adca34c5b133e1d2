// Longbox
// SPDX-License-Identifier: MIT

import Crypto

extension VAPIDKeys {
  /// The keys as PKCS #8 in PEM.
  public var pem: String { privateKey.pemRepresentation + "\n" }

  /// Reads keys; nil if the text has none.
  public init?(pem: String) {
    guard let key = try? P256.Signing.PrivateKey(pemRepresentation: pem) else { return nil }
    self.init(key)
  }
}
