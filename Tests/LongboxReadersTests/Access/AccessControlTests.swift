// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Logging
import LongboxStore
import Testing
import TestSupport

@testable import LongboxReaders

@Suite("Access control") struct AccessControlTests {
  private let folder = TemporaryFolder()
  private let time = SettableTime()
  private let passphrase = "correct horse battery"
  private let reader = ClientAddress([192, 0, 2, 1])
  private let stranger = ClientAddress([192, 0, 2, 2])

  /// An access control with a cheap hash, so that tests are fast.
  private func control(_ store: Store? = nil) async throws -> AccessControl {
    let store = try store ?? Store.open(folder.url)
    let time = time
    let access = AccessControl(
      store: store,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
      now: { time.now },
      cost: .init(logRounds: 4)
    )
    try await access.load()
    return access
  }

  private func token(_ outcome: AccessControl.SignIn) throws -> AccessToken {
    guard case .signedIn(let token) = outcome else { throw Failure() }
    return token
  }

  private struct Failure: Error {}

  @Test func `accepts the right passphrase only`() async throws {
    let access = try await control()
    #expect(!access.hasPassphrase)
    await #expect(throws: PassphraseError.tooShort) { try await access.setPassphrase("short") }
    try await access.setPassphrase(passphrase)
    #expect(access.hasPassphrase)
    #expect(try await access.signIn("something else", from: reader, device: "Phone") == .wrong)
    let token = try token(await access.signIn(passphrase, from: reader, device: "Phone"))
    #expect(access.credential(token.text, .session)?.name == "Phone")
    #expect(access.credential(token.text, .key) == nil, "a session is no key")
    #expect(access.credential(AccessToken().text, .session) == nil)
    #expect(access.credential("", .session) == nil)
    // The store has the secret's hash only.
    let bytes = try Data(contentsOf: folder.path("longbox.sqlite-wal"))
    #expect(bytes.range(of: Data(token.text.utf8)) == nil)
    #expect(bytes.range(of: Data(passphrase.utf8)) == nil)
  }

  /// Visits with a session until a year from now, when it ends.
  private func expectToEnd(_ token: AccessToken, of access: AccessControl) async throws {
    for _ in 0..<4 {
      time.advance(by: 89 * 24 * 3600)
      #expect(access.credential(token.text, .session) != nil)
      try await access.save()
      try await access.load()
    }
    time.advance(by: 10 * 24 * 3600)
    #expect(access.credential(token.text, .session) == nil, "a year is over")
  }

  @Test func `ends sessions after 90 days without a visit, and after a year`() async throws {
    let access = try await control()
    try await access.setPassphrase(passphrase)
    let token = try token(await access.signIn(passphrase, from: reader, device: "Phone"))
    try await expectToEnd(token, of: access)
    let other = try self.token(await access.signIn(passphrase, from: reader, device: "Phone"))
    time.advance(by: 91 * 24 * 3600)
    #expect(access.credential(other.text, .session) == nil, "90 days are over")
  }

  @Test func `goes on when the clock is set back`() async throws {
    let access = try await control()
    try await access.setPassphrase(passphrase)
    let ahead: TimeInterval = 300 * 24 * 3600
    time.advance(by: ahead)
    let token = try token(await access.signIn(passphrase, from: reader, device: "Phone"))
    let code = try await access.offerCode()
    time.advance(by: -ahead)
    let session = try #require(access.credential(token.text, .session))
    #expect(access.isRenewalDue(session), "the browser counts the cookie's life by its own clock")
    #expect(access.credentials(.session).first?.seenAt == time.now)
    try await access.save()
    try await access.load()
    #expect(access.credentials(.session).first?.seenAt == time.now)
    // The limit on guesses counts from now on, so it may make the first one wait some seconds.
    _ = try await access.signIn("something else", from: reader, device: "Phone")
    time.advance(by: 60)
    #expect(
      try await access.signIn(code, from: reader, device: "Phone") == .wrong,
      "it would work for 300 days"
    )
    #expect(access.lifetime(of: try #require(access.credentials(.session).first)) <= 90 * 24 * 3600)
    try await expectToEnd(token, of: access)
  }

  @Test func `ends unused when the clock is set back`() async throws {
    let access = try await control()
    try await access.setPassphrase(passphrase)
    let ahead: TimeInterval = 300 * 24 * 3600
    time.advance(by: ahead)
    let token = try token(await access.signIn(passphrase, from: reader, device: "Phone"))
    time.advance(by: -ahead)
    #expect(access.credential(token.text, .session) != nil)
    try await access.save()
    try await access.load()
    time.advance(by: 91 * 24 * 3600)
    #expect(access.credential(token.text, .session) == nil, "90 days are over")
  }

  @Test func `signs out one device, all others, and all when the passphrase changes`() async throws {
    let access = try await control()
    try await access.setPassphrase(passphrase)
    let tokens = try await [1, 2, 3].asyncMap { _ in
      try token(await access.signIn(passphrase, from: reader, device: "Phone"))
    }
    let sessions = tokens.compactMap { access.credential($0.text, .session) }
    try await access.remove(sessions[0].id)
    #expect(access.credential(tokens[0].text, .session) == nil)
    try await access.signOutOthers(except: sessions[1].id)
    #expect(access.credentials(.session).map(\.id) == [sessions[1].id])
    try await access.setPassphrase("another passphrase")
    #expect(access.credentials(.session).isEmpty)
  }

  @Test func `slows down guesses, but not signed-in readers`() async throws {
    let access = try await control()
    try await access.setPassphrase(passphrase)
    let token = try token(await access.signIn(passphrase, from: reader, device: "Phone"))
    var tried = 0
    for number in 0..<10_000 {
      if case .wrong = try await access.signIn("guess \(number)", from: stranger, device: "") { tried += 1 }
    }
    #expect(tried == AccessControl.guessesOfAddress.burst)
    #expect(access.credential(token.text, .session) != nil)
    for _ in 0..<10 {
      _ = try self.token(await access.signIn(passphrase, from: reader, device: "Phone"))
    }
    // After a while a stranger may try again; the right passphrase resets it.
    time.advance(by: AccessControl.guessesOfAddress.interval)
    _ = try self.token(await access.signIn(passphrase, from: stranger, device: ""))
  }

  @Test func `lets another device in by a code, once and for ten minutes`() async throws {
    let access = try await control()
    try await access.setPassphrase(passphrase)
    let code = try await access.offerCode()
    _ = try token(await access.signIn(code.uppercased(), from: reader, device: "App"))
    #expect(try await access.signIn(code, from: reader, device: "App") == .wrong)
    let late = try await access.offerCode()
    time.advance(by: 600)
    #expect(try await access.signIn(late, from: reader, device: "App") == .wrong)
  }

  @Test func `keeps a code that has let no device in, because the store failed`() async throws {
    let access = try await control()
    try await access.setPassphrase(passphrase)
    let code = try await access.offerCode()
    let reader = reader
    let failing = Task {
      // The store refuses the work of a cancelled task.
      withUnsafeCurrentTask { $0?.cancel() }
      return try await access.signIn(code, from: reader, device: "App")
    }
    await #expect(throws: StoreError.cancelled) { try await failing.value }
    _ = try token(await access.signIn(code, from: reader, device: "App"))
  }

  @Test func `notices what a command beside the server changes`() async throws {
    let server = try await control()
    let command = try await control(Store.openForAccess(folder.url))
    try await command.setPassphrase(passphrase)
    #expect(!server.hasPassphrase)
    try await server.load()
    #expect(server.hasPassphrase)
  }

  @Test func `makes keys for programs`() async throws {
    let access = try await control()
    let key = try await access.makeKey(named: "E-reader")
    let credential = try #require(access.credential(key.text, .key))
    #expect(credential.name == "E-reader")
    #expect(access.credential(key.text, .session) == nil, "a key is no session")
    try await access.remove(credential.id)
    #expect(access.credential(key.text, .key) == nil)
  }

  @Test func `hashes passphrases with salt and parameters`() throws {
    let hash = try PassphraseHash(of: passphrase)
    #expect(hash.text.hasPrefix("scrypt$15$8$3$"))
    let stored = try #require(PassphraseHash(hash.text))
    #expect(stored.matches(passphrase))
    #expect(!stored.matches(passphrase + " "))
    #expect(try PassphraseHash(of: passphrase, cost: .init(logRounds: 4)).salt != hash.salt)
    #expect(PassphraseHash("scrypt$99$8$3$AA==$AA==") == nil)
    #expect(PassphraseHash("something") == nil)
  }
}

extension Sequence {
  fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
    var values: [Value] = []
    for element in self { values.append(try await transform(element)) }
    return values
  }
}
