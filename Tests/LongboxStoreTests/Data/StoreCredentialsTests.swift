// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import Testing
import TestSupport

@testable import LongboxStore

@Suite("Access in the store") struct StoreCredentialsTests {
  private let date = Date(timeIntervalSince1970: 1_800_000_000)
  private let folder = TemporaryFolder()

  @Test(arguments: Engine.tested)
  func `is a passphrase, devices and keys`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    #expect(try await store.access.all() == StoredAccess(passphrase: nil, credentials: []))
    try await store.access.setPassphrase("a hash", at: date)
    let phone = try await store.access.add(.session, CredentialHash(of: [1]), name: "Phone", at: date)
    let reader = try await store.access.add(.key, CredentialHash(of: [2]), name: "", at: date)
    #expect(phone.seenAt == date && reader.seenAt == nil && reader.name == "Unnamed")
    #expect(try await store.access.all() == StoredAccess(passphrase: "a hash", credentials: [phone, reader]))
    try await store.access.noteSeen([reader.id: date + 60])
    #expect(try await store.access.all().credentials.last?.seenAt == date + 60)
    #expect(try await store.access.remove(reader.id))
    #expect(try await !store.access.remove(reader.id))
  }

  @Test(arguments: Engine.tested)
  func `are no younger than their visits, although the clock was ahead`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    let phone = try await store.access.add(
      .session,
      CredentialHash(of: [1]),
      name: "Phone",
      at: date + 9_000_000
    )
    try await store.access.noteSeen([phone.id: date])
    #expect(try await store.access.all().credentials.map(\.createdAt) == [date])
    try await store.access.noteSeen([phone.id: date + 60])
    #expect(try await store.access.all().credentials.map(\.createdAt) == [date])
  }

  /// A flag is one character of two code points.
  @Test(arguments: Engine.tested)
  func `cuts a name to the code points that the database takes`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    let name = String(repeating: "🇩🇪", count: 51)
    _ = try await store.access.add(.session, CredentialHash(of: [1]), name: name, at: date)
    #expect(try await store.access.all().credentials.map(\.name) == [String(repeating: "🇩🇪", count: 50)])
  }

  @Test(arguments: Engine.tested)
  func `signs all devices out when the passphrase changes, and keeps keys`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    try await store.access.setPassphrase("one", at: date)
    _ = try await store.access.add(.session, CredentialHash(of: [1]), name: "Phone", at: date)
    let key = try await store.access.add(.key, CredentialHash(of: [2]), name: "Reader", at: date)
    try await store.access.setPassphrase("two", at: date)
    #expect(try await store.access.all().credentials == [key])
  }

  @Test(arguments: Engine.tested)
  func `forgets the device unused for longest when there are too many`(engine: Engine) async throws {
    let store = try await engine.open(folder.url)
    for number in 0...CredentialLimits.ofKind {
      let hash = CredentialHash(of: [UInt8(number)])
      _ = try await store.access.add(.session, hash, name: "\(number)", at: date + Double(number))
    }
    let names = try await store.access.all().credentials.map(\.name)
    #expect(names.count == CredentialLimits.ofKind && names.first == "1")
  }

  @Test(arguments: Engine.tested)
  func `can be changed beside a running server`(engine: Engine) async throws {
    let server = try await engine.open(folder.url)
    let command = try await Store.openForAccess(engine.location(folder.url))
    try await command.access.setPassphrase("by the command", at: date)
    #expect(try await server.access.all().passphrase == "by the command")
  }
}
