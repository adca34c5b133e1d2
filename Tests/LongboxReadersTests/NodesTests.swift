// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Logging
import LongboxCore
import LongboxPush
import LongboxStore
import TestSupport
import Testing

@testable import LongboxReaders

/// Data that nodes share besides libraries: codes, limits, sign-ins, keys.
@Suite(
  "Several nodes",
  .enabled(if: PostgresServer.problem == nil, "\(PostgresServer.problem ?? "")"),
  .timeLimit(.minutes(5))
)
struct NodesTests {
  private let folder = TemporaryFolder()
  private let start = Date(timeIntervalSince1970: 1_800_000_000)
  private let client = ClientAddress([192, 0, 2, 1])

  /// Opens the stores of two nodes, which share a new database.
  private func stores() async throws -> (address: String, Store, Store) {
    let address = try await PostgresServer.emptyDatabase()
    return (address, try await store("one", in: address), try await store("two", in: address))
  }

  private func store(_ node: String, in address: String) async throws -> Store {
    let database = try #require(PostgresAddress(address))
    return try await Store.open(StoreLocation(folder.path(node), database: database))
  }

  // MARK: Pairing codes

  @Test func `take each other's pairing codes, each once and for ten minutes`() async throws {
    let (address, one, two) = try await stores()
    let (here, there) = (one.pairingCodes(), two.pairingCodes())
    let key = ReaderKey()
    let code = try await here.offer(key, from: client, at: start)
    #expect(code.utf8.count == 22)
    #expect(try await there.key(for: code, from: client, at: start + 599.9) == .success(key))
    #expect(try await there.keyOfUsed(code) == nil)
    #expect(try await there.redeem(code, from: client, at: start) == .success(key))
    #expect(try await here.redeem(code, from: client, at: start) == .failure(.used))
    #expect(try await here.keyOfUsed(code) == key)
    try await here.restore(code)
    #expect(try await there.key(for: code, from: client, at: start) == .success(key))
    #expect(try await there.redeem(code, from: client, at: start + 600) == .failure(.expired))
    let rows = try await PostgresServer.run(
      "SELECT encode(hash || owner || content, 'hex') FROM code",
      in: address
    )
    let hex = key.bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    #expect(rows.count == 2 * (32 + 32 + 48))
    #expect(!rows.contains(hex), "The database contains no library's key.")
  }

  @Test func `let one device in by a code that two try at the same time`() async throws {
    let (_, one, two) = try await stores()
    let (here, there) = (one.pairingCodes(), two.pairingCodes())
    for _ in 0..<10 {
      let code = try await here.offer(ReaderKey(), from: client, at: start)
      async let first = here.redeem(code, from: client, at: start)
      async let second = there.redeem(code, from: client, at: start)
      let outcomes = try await [first, second]
      #expect(outcomes.count { $0 == .failure(.used) } == 1)
    }
  }

  @Test func `replace a library's earlier pairing codes, but no other library's`() async throws {
    let (_, one, two) = try await stores()
    let (here, there) = (one.pairingCodes(), two.pairingCodes())
    let (key, other) = (ReaderKey(), ReaderKey())
    let (first, others) = (
      try await here.offer(key, from: client, at: start), try await here.offer(other, from: client, at: start)
    )
    let second = try await there.offer(key, from: client, at: start)
    #expect(try await here.key(for: first, from: client, at: start) == .failure(.unknown))
    #expect(try await here.key(for: second, from: client, at: start) == .success(key))
    #expect(try await here.key(for: others, from: client, at: start) == .success(other))
  }

  @Test func `give an address pairing codes at a limited rate, counted together`() async throws {
    let (_, one, two) = try await stores()
    let codes = [one.pairingCodes(), two.pairingCodes()]
    for number in 0..<30 { _ = try await codes[number % 2].offer(ReaderKey(), from: client, at: start) }
    for codes in codes {
      await #expect(throws: TooManyNew(retryAfter: 20)) {
        try await codes.offer(ReaderKey(), from: client, at: start)
      }
    }
    _ = try await codes[0].offer(ReaderKey(), from: .loopback, at: start)
  }

  @Test func `keep the code of a client while another one asks for more than are kept`() async throws {
    let (_, one, _) = try await stores()
    let store = try #require(one.shared)
    func hash(_ client: UInt8, _ number: UInt8) -> [UInt8] {
      [client, number] + [UInt8](repeating: 0, count: 30)
    }
    func offer(_ number: UInt8, of client: UInt8, after seconds: Double) async throws {
      try await store.offerCode(
        .pairing,
        hash(client, number),
        of: SharedCodeOwner(
          client: [UInt8](repeating: client, count: 32),
          library: [UInt8](repeating: number, count: 32)
        ),
        content: [],
        until: start + seconds,
        keeping: 5,
        at: start
      )
    }
    try await offer(0, of: 1, after: 1)
    for number in 1...20 as ClosedRange<UInt8> { try await offer(number, of: 2, after: 1 + Double(number)) }
    #expect(try await store.code(.pairing, hash(1, 0)) != nil)
    var kept: [UInt8] = []
    for number in 1...20 as ClosedRange<UInt8> where try await store.code(.pairing, hash(2, number)) != nil {
      kept.append(number)
    }
    #expect(kept == [17, 18, 19, 20])
  }

  @Test func `count unknown pairing codes together`() async throws {
    let (_, one, two) = try await stores()
    let codes = [one.pairingCodes(), two.pairingCodes()]
    for number in 0..<PairingCodeRules.missLimit {
      let outcome = try await codes[number % 2].redeem("guess \(number)", from: client, at: start)
      #expect(outcome == .failure(.unknown))
    }
    for codes in codes {
      #expect(try await codes.redeem("more", from: client, at: start + 1) == .failure(.tooManyTries))
      #expect(try await codes.redeem("more", from: .loopback, at: start + 1) == .failure(.unknown))
    }
  }

  // MARK: Signing in

  private func access(_ store: Store) async throws -> AccessControl {
    let start = start
    let access = AccessControl(
      store: store,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
      now: { start },
      cost: .init(logRounds: 4)
    )
    try await access.load()
    return access
  }

  @Test func `know a device that has just signed in at another, and take its codes`() async throws {
    let (_, one, two) = try await stores()
    try await access(one).setPassphrase("correct horse battery")
    let (here, there) = (try await access(one), try await access(two))
    guard
      case .signedIn(let token) = try await here.signIn(
        "correct horse battery",
        from: client,
        device: "Phone"
      )
    else {
      Issue.record("The right passphrase is refused.")
      return
    }
    #expect(there.credential(token.text, .session) == nil)
    #expect(try await there.learn(token.text))
    #expect(there.credential(token.text, .session)?.name == "Phone")
    #expect(try await !there.learn(AccessToken().text))
    let code = try await here.offerCode()
    guard case .signedIn = try await there.signIn(code.uppercased(), from: client, device: "App") else {
      Issue.record("The code of another node is refused.")
      return
    }
    #expect(try await here.signIn(code, from: client, device: "App") == .wrong)
  }

  @Test func `take the passphrase that another has just got`() async throws {
    let (_, one, two) = try await stores()
    let (here, there) = (try await access(one), try await access(two))
    for passphrase in ["correct horse battery", "another passphrase"] {
      try await here.setPassphrase(passphrase)
      #expect(await !there.isPassphrase("something else"))
      try await here.setPassphrase(passphrase + " 2")
      #expect(await there.isPassphrase(passphrase + " 2"))
    }
  }

  @Test func `count wrong passphrases together`() async throws {
    let (_, one, two) = try await stores()
    try await access(one).setPassphrase("correct horse battery")
    let nodes = [try await access(one), try await access(two)]
    var tried = 0
    for number in 0..<20 {
      let outcome = try await nodes[number % 2].signIn("guess \(number)", from: client, device: "")
      if outcome == .wrong { tried += 1 }
    }
    #expect(tried == AccessControl.guessesOfAddress.burst)
  }

  // MARK: Limits

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `allow together what one process allows`(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let (_, one, two) = try await stores()
    let rates = RatePair(perHour: 6)
    let nodes = [one.limiter(of: .newLibraries, rates), two.limiter(of: .newLibraries, rates)]
    let model = AddressRateLimiter(rates)
    let clients = (1...12).map { ClientAddress([192, 0, 2, UInt8($0)]) }
    var now = start
    for step in 0..<150 {
      let (node, client) = (
        nodes[Int.random(in: 0...1, using: &random)], clients[Int.random(in: 0..<12, using: &random)]
      )
      switch Int.random(in: 0..<20, using: &random) {
      case 0:
        try await node.refund(client, at: now)
        model.refund(client, at: now)
      case 1:
        try await node.forget(client, at: now)
        model.forget(client, at: now)
      default:
        #expect(
          try await node.take(client, at: now) == model.take(client, at: now),
          "seed \(seed), step \(step)"
        )
      }
      now += Double(Int.random(in: 0...30, using: &random))
    }
  }

  @Test(arguments: [1, 7, 13, 100])
  func `allow a whole burst at once`(perHour: Int) async throws {
    let (_, one, two) = try await stores()
    let nodes = [one, two].map { $0.limiter(of: .newSubscriptions, perHour: perHour) }
    for number in 0..<perHour { #expect(try await nodes[number % 2].take(client, at: start) == nil) }
    #expect(try await nodes[0].take(client, at: start) != nil)
  }

  @Test func `count new libraries together, also at the same time`() async throws {
    let (_, one, two) = try await stores()
    var limits = StorageLimits()
    limits.newLibrariesPerHour = 10
    let start = start
    var timeouts = SharedStoreTimeouts()
    timeouts.form = .seconds(120)
    let nodes = [one, two].map { Libraries(store: $0, limits: limits, timeouts: timeouts) { start } }
    let client = client
    let made = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<40 {
        group.addTask {
          do {
            try await nodes[number % 2].edit(LibraryName(key: [UInt8(number)]), makes: true, for: client) {
              let time = $0.editTime(at: 1_000).timestamp
              _ = try? $0.library.set(LibraryKey("a"), to: "1", timestamp: time)
            }
            return true
          } catch is TooManyNew {
            return false
          }
        }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(made == 10)
    #expect(try await one.usage().libraries == 10)
  }

  // MARK: Keys for notifications

  @Test func `use one pair of keys for notifications, that of the first node's file`() async throws {
    let (address, one, two) = try await stores()
    let old = try VAPIDKeys.loadOrCreate(in: folder.path("one"))
    #expect(try await VAPIDKeys.loadOrCreate(by: one, in: folder.path("one")).publicKey == old.publicKey)
    #expect(try await VAPIDKeys.loadOrCreate(by: two, in: folder.path("two")).publicKey == old.publicKey)
    #expect(try VAPIDKeys.stored(in: folder.path("two"))?.publicKey == old.publicKey)
    let three = try await store("three", in: address)
    let file = folder.path("three").appending(path: VAPIDKeys.fileName).path
    _ = try VAPIDKeys.loadOrCreate(in: folder.path("three"))
    await #expect(throws: VAPIDKeys.FileProblem.different(path: file)) {
      try await VAPIDKeys.loadOrCreate(by: three, in: self.folder.path("three"))
    }
  }

  @Test func `make one pair of keys when all start at the same time`() async throws {
    let (address, _, _) = try await stores()
    let keys = try await withThrowingTaskGroup(of: String.self) { group in
      for number in 3...6 {
        group.addTask {
          let store = try await self.store("\(number)", in: address)
          return try await VAPIDKeys.loadOrCreate(by: store, in: self.folder.path("\(number)")).publicKey
        }
      }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(keys.count == 1)
  }

  // MARK: Without the database

  @Test func `show a known library while the database is away, and lose nothing`() async throws {
    let (address, one, _) = try await stores()
    let start = start
    var timeouts = SharedStoreTimeouts()
    timeouts.form = .seconds(1)
    let node = Libraries(store: one, timeouts: timeouts) { start }
    let name = LibraryName(key: [1])
    @Sendable func write(_ key: Text) async throws {
      try await node.edit(name, makes: true) {
        let time = $0.editTime(at: 1_000).timestamp
        guard let key = try? LibraryKey(key) else { return }
        _ = try? $0.library.set(key, to: "1", timestamp: time)
      }
    }
    await eventually { (try? await write("a")) != nil }
    try await PostgresServer.set(isAway: true, address)
    #expect(try await node.library(name).entries.map(\.key.text) == ["a"])
    #expect(try await node.library(name).entries.map(\.key.text) == ["a"])
    let error = await #expect(throws: StoreError.self) { try await write("b") }
    #expect(error?.isOutage == true)
    try await PostgresServer.set(isAway: false, address)
    await eventually { (try? await write("c")) != nil }
    // A new node has no library in memory that it could show when a busy machine takes long.
    timeouts.page = .seconds(120)
    timeouts.form = .seconds(120)
    let fresh = Libraries(store: try await store("three", in: address), timeouts: timeouts) { start }
    // What was refused may have been stored later.
    for node in [node, fresh] {
      #expect(try await node.library(name).entries.map(\.key.text).filter { $0 != "b" } == ["a", "c"])
    }
  }
}
