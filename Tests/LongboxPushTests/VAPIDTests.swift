// Longbox
// SPDX-License-Identifier: MIT

import Crypto
import Foundation
import Testing

@testable import LongboxPush

@Suite struct `The server's keys` {
  private struct Claims: Decodable, Equatable {
    let aud: String
    let exp: Int
    let sub: String?
  }

  @Test(arguments: ["mailto:me@example.org", nil])
  func `sign a token for one service and a limited time`(contact: String?) throws {
    let keys = VAPIDKeys()
    let service = try #require(PushEndpoint.Origin("https://push.example.net"))
    let value = try keys.authorization(
      for: service,
      contact: contact,
      until: Date(timeIntervalSince1970: 1_800_000_000.5)
    )
    let found = try #require(value.wholeMatch(of: /vapid t=([\w-]+)\.([\w-]+)\.([\w-]+),k=([\w-]+)/))
    #expect(String(found.4) == keys.publicKey)
    let header = try #require(Base64URL.decode(String(found.1)))
    #expect(String(decoding: header, as: UTF8.self) == #"{"alg":"ES256","typ":"JWT"}"#)
    let claims = try JSONDecoder().decode(
      Claims.self,
      from: Data(try #require(Base64URL.decode(String(found.2))))
    )
    #expect(claims == Claims(aud: "https://push.example.net", exp: 1_800_000_000, sub: contact))
    let signature = try P256.Signing.ECDSASignature(
      rawRepresentation: try #require(Base64URL.decode(String(found.3)))
    )
    let publicKey = try P256.Signing.PublicKey(
      x963Representation: try #require(Base64URL.decode(String(found.4)))
    )
    #expect(publicKey.isValidSignature(signature, for: Data("\(found.1).\(found.2)".utf8)))
  }
}
