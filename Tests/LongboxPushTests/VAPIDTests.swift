// Longbox
// SPDX-License-Identifier: MIT

import Crypto
import Foundation
import Testing

@testable import LongboxPush

struct VAPIDKeysTests {
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

struct PushContactTests {
  @Test(arguments: [
    ("me@example.org", "mailto:me@example.org"), (" me@example.org ", "mailto:me@example.org"),
    ("mailto:me@Example.org", "mailto:me@example.org"), ("a+b%c@example.org", "mailto:a+b%25c@example.org"),
    ("https://example.org/me?x=1", "https://example.org/me?x=1"),
    ("https://example.org:8443/me", "https://example.org:8443/me"),
  ])
  func `is an e-mail address or an https address of the public network`(text: String, address: String) {
    let contact = PushContact(text)
    #expect(contact.address == address && contact.problem == nil)
  }

  @Test(arguments: [
    ("me@nas.local", "nas.local is not a public name"), ("admin@localhost", "localhost is not a public name"),
    ("me@192.0.2.1", "192.0.2.1 is not a public name"), ("https://box.lan/", "box.lan is not a public name"),
    ("Me <me@nas.local>", "nas.local is not a public name"), ("me @example.org", "neither"),
    ("me@example.org, you@example.org", "neither"), ("http://example.org", "neither"), ("node 1", "neither"),
    ("a..b@example.org", "neither"), ("@example.org", "neither"), ("me@", "neither"), ("<>", "neither"),
  ])
  func `is not sent if push services would refuse it`(text: String, mark: String) throws {
    let contact = PushContact(text)
    #expect(contact.address == nil)
    let problem = try #require(contact.problem)
    #expect(problem.text.hasPrefix("LONGBOX_CONTACT is “\(text)”") && problem.text.contains(mark))
  }

  @Test func `with a name is sent without it, with a warning`() throws {
    let contact = PushContact("Me <me@example.org>")
    #expect(contact.address == "mailto:me@example.org")
    #expect(try #require(contact.problem).text.contains("they get mailto:me@example.org."))
  }
}
