// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxPush
import LongboxReaders
import TestSupport
import Testing

@Suite("The server's keys in the data folder") struct VAPIDKeysFileTests {
  private let temporary = TemporaryFolder()
  private var folder: URL { temporary.url }

  @Test func `are created once, readable only by their owner`() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    #expect(try VAPIDKeys.stored(in: folder) == nil)
    // Left over from a killed process.
    try Data("half".utf8).write(to: folder.appending(path: "vapid.pem.new"))
    let keys = try VAPIDKeys.loadOrCreate(in: folder)
    let attributes = try FileManager.default.attributesOfItem(
      atPath: folder.appending(path: "vapid.pem").path
    )
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(try VAPIDKeys.loadOrCreate(in: folder).publicKey == keys.publicKey)
    #expect(try VAPIDKeys.stored(in: folder)?.publicKey == keys.publicKey)
    #expect(Base64URL.decode(keys.publicKey)?.count == 65)
  }

  @Test func `are not replaced if the file is damaged`() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "vapid.pem")
    try Data("-----BEGIN PRIVATE KEY-----".utf8).write(to: file)
    #expect(throws: VAPIDKeys.FileProblem.damaged(path: file.path)) { try VAPIDKeys.loadOrCreate(in: folder) }
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
      try VAPIDKeys.loadOrCreate(in: folder)
    } throws: { error in
      "\(error)".contains(folder.path)
    }
  }
}
