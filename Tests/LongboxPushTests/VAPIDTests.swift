// Longbox
// SPDX-License-Identifier: MIT

import Crypto
import Foundation
import TestSupport
import Testing

@testable import LongboxPush

@Suite struct `The server's keys` {
  private let temporary = TemporaryFolder()
  private var folder: URL { temporary.url }

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

  @Test func `are created once, readable only by their owner`() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    #expect(try VAPIDKeys.stored(in: folder) == nil)
    // Left over from a killed process.
    try Data("half".utf8).write(to: folder.appending(path: "vapid.pem.new"))
    let keys = try VAPIDKeys.kept(in: folder)
    let attributes = try FileManager.default.attributesOfItem(
      atPath: folder.appending(path: "vapid.pem").path
    )
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(try VAPIDKeys.kept(in: folder).publicKey == keys.publicKey)
    #expect(try VAPIDKeys.stored(in: folder)?.publicKey == keys.publicKey)
    #expect(Base64URL.decode(keys.publicKey)?.count == 65)
  }

  @Test func `are not replaced if the file is damaged`() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "vapid.pem")
    try Data("-----BEGIN PRIVATE KEY-----".utf8).write(to: file)
    #expect(throws: VAPIDKeys.FileProblem.damaged(path: file.path)) { try VAPIDKeys.kept(in: folder) }
    #expect(try String(contentsOf: file, encoding: .utf8) == "-----BEGIN PRIVATE KEY-----")
  }

  @Test func `leave no unfinished file if they can't be saved`() throws {
    let file = folder.appending(path: "vapid.pem")
    // A file can't replace a folder.
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
    #expect(throws: VAPIDKeys.FileProblem.unusable(path: file.path, reason: "Is a directory")) {
      try VAPIDKeys().keep(in: folder)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["vapid.pem"])
  }

  @Test func `name the folder if they can't be saved`() {
    #expect {
      try VAPIDKeys.kept(in: folder)
    } throws: { error in
      "\(error)".contains(folder.path)
    }
  }
}
