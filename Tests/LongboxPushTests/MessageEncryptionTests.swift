// Longbox
// SPDX-License-Identifier: MIT

import Crypto
import Foundation
import PushTestSupport
import Testing

@testable import LongboxPush

struct MessageEncryptionTests {
  private func bytes(_ text: String) throws -> [UInt8] { try #require(Base64URL.decode(text)) }

  @Test func `matches the example in RFC 8291, section 5 and appendix A`() throws {
    let subscriber = try SubscriberKeys(
      publicKey: bytes(
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
      ),
      secret: bytes("BTBZMqHH6r4Tts7J_aSIgg")
    )
    let message = try MessageEncryption.encrypt(
      Array("When I grow up, I want to be a watermelon".utf8),
      for: subscriber,
      with: P256.KeyAgreement.PrivateKey(
        rawRepresentation: bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")
      ),
      salt: bytes("DGv6ra1nlYgDCS1FRnbzlw")
    )
    #expect(
      Base64URL.encode(message)
        == "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A"
        + "_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )
  }

  @Test(arguments: [0, 1, 255, 256, Message.longestText])
  func `can be decrypted by the browser, for any length`(count: Int) throws {
    let browser = FakeBrowser()
    let text = [UInt8](repeating: 0x61, count: count)
    let message = try MessageEncryption.encrypt(
      text,
      for: SubscriberKeys(publicKey: browser.publicKey, secret: browser.secret),
      padding: min(40, Message.longestText - count),
      with: P256.KeyAgreement.PrivateKey(),
      salt: [UInt8](repeating: 7, count: 16)
    )
    #expect(try browser.text(of: message) == text)
    #expect(message.count <= 4096, "Push services need not take more.")
    #expect(throws: (any Error).self) { try FakeBrowser().text(of: message) }
  }

  /// An invalid public key or secret, and the error.
  @Test(arguments: [
    ([UInt8](repeating: 4, count: 65), 16, SubscriberKeys.Problem.publicKey),
    ([], 16, .publicKey), ([UInt8](repeating: 0, count: 65), 16, .publicKey),
    (FakeBrowser().publicKey, 15, .secret), (FakeBrowser().publicKey, 17, .secret),
    (Array(FakeBrowser().publicKey.dropLast()), 16, .publicKey),
  ])
  func `rejects invalid keys`(publicKey: [UInt8], secret: Int, problem: SubscriberKeys.Problem) {
    #expect(throws: problem) {
      try SubscriberKeys(publicKey: publicKey, secret: [UInt8](repeating: 1, count: secret))
    }
  }

  @Test(arguments: [("", []), ("AQ", [1]), ("AQ==", [1]), ("-_8", [0xFB, 0xFF])] as [(String, [UInt8])])
  func `decodes base64url, with or without padding`(text: String, bytes: [UInt8]) {
    #expect(Base64URL.decode(text) == bytes)
  }

  @Test(arguments: [
    "+/8", "A", "AQ A", "é", "A=Q", "=AQ", "AR", "-_9", String(repeating: "A", count: 42) + "B",
  ])
  func `rejects invalid base64url`(text: String) {
    #expect(Base64URL.decode(text) == nil)
  }
}
