// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
public import Logging
import LongboxPush
public import LongboxStore
public import ServiceLifecycle
import Synchronization

/// Controls access to the server: the household's passphrase, signed-in devices, and access keys for programs.
///
/// Everything is in memory, so checking a request costs no more than a hash. A command beside the server may change the
/// store, so `run` reads it again every few seconds.
public final class AccessControl: Service {
  private struct State {
    var passphrase: PassphraseHash?
    var credentials: [CredentialHash: StoredCredential] = [:]
    /// When devices and keys were last used, unless that is stored already.
    var unsaved: [StoredCredential.ID: Date] = [:]
    var checks = 0
    /// The number of reads of the store so far, and the read whose result is in memory.
    var readings = (started: 0, taken: 0)
  }

  /// The result of an attempt to sign in.
  public enum SignIn: Equatable, Sendable {
    /// The device has a session now.
    case signedIn(AccessToken)
    /// The passphrase is wrong.
    case wrong
    /// There were too many wrong ones; come back after this many seconds.
    case tooMany(seconds: Int)
  }

  /// A session ends after this many seconds without a visit: 90 days.
  public static let idleLimit: TimeInterval = 90 * 24 * 3600
  /// A session ends after this many seconds in any case: a year.
  public static let ageLimit: TimeInterval = 365 * 24 * 3600
  /// The browser's cookie is renewed after this many seconds: a day.
  static let renewal: TimeInterval = 24 * 3600
  /// Maximum number of waiting passphrase checks; each takes a tenth of a second.
  private static let waitingChecks = 8
  /// The limit on wrong guesses from one address.
  static let guessesOfAddress = RatePair.Rate(burst: 5, interval: 30)
  /// The limit on wrong guesses from all addresses together.
  private static let guessesOfAll = RatePair.Rate(burst: 100, interval: 2)

  private let store: Store
  private let logger: Logger
  private let now: @Sendable () -> Date
  private let cost: PassphraseHash.Cost
  private let state = Mutex(State())
  /// Only wrong guesses count, so people with the passphrase rarely reach the limit.
  private let guesses: any RateLimiter
  private let codes: any SignInCodes
  /// Checking a passphrase takes long and much memory.
  private let thread = SerialThread(label: "longbox.passphrase")

  /// Creates an empty access control; `load` reads the store.
  public convenience init(
    store: Store,
    logger: Logger,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.init(store: store, logger: logger, now: now, cost: PassphraseHash.Cost())
  }

  init(store: Store, logger: Logger, now: @escaping @Sendable () -> Date, cost: PassphraseHash.Cost) {
    self.store = store
    self.logger = logger
    self.now = now
    self.cost = cost
    guesses = store.limiter(
      of: .wrongPassphrases,
      RatePair(each: Self.guessesOfAddress, all: Self.guessesOfAll)
    )
    codes = store.signInCodes()
  }

  /// Reads the store.
  public func load() async throws(StoreError) {
    let reading = state.withLock { state in
      state.readings.started += 1
      return state.readings.started
    }
    let stored = try await store.access.all()
    state.withLock { state in
      // An earlier read may end later; its result is outdated.
      guard reading > state.readings.taken else { return }
      state.readings.taken = reading
      state.passphrase = stored.passphrase.flatMap { PassphraseHash($0) }
      state.credentials = Dictionary(stored.credentials.map { ($0.hash, $0) }) { first, _ in first }
    }
  }

  /// Reads the store every few seconds, and stores when devices were seen.
  public func run() async throws {
    var rounds = 0
    while !Task.isCancelled, !Task.isShuttingDownGracefully {
      do { try await cancelWhenGracefulShutdown { try await Task.sleep(for: .seconds(3)) } } catch { break }
      rounds += 1
      do {
        if rounds % 20 == 0 { try await save() }
        try await load()
      } catch {
        logger.error("Longbox can’t read who may sign in.", metadata: ["error": "\(error)"])
      }
    }
    try? await save()
  }

  /// Stores when devices and keys were last used.
  func save() async throws(StoreError) {
    let unsaved = state.withLock { state in
      defer { state.unsaved = [:] }
      return state.unsaved
    }
    guard !unsaved.isEmpty else { return }
    do {
      try await store.access.noteSeen(unsaved)
    } catch {
      state.withLock { $0.unsaved.merge(unsaved) { newer, _ in newer } }
      throw error
    }
  }

  /// Whether a passphrase was set.
  public var hasPassphrase: Bool { state.withLock { $0.passphrase != nil } }

  // Checking requests. These must not block.

  /// The credential with a secret, if it is valid; marks it as used now.
  public func credential(_ secret: some StringProtocol, _ kind: StoredCredential.Kind) -> StoredCredential? {
    guard let hash = AccessToken.hash(of: secret) else { return nil }
    let now = now()
    return state.withLock { state in
      guard let found = state.credentials[hash], found.kind == kind else { return nil }
      let seen = state.unsaved[found.id] ?? found.seenAt ?? found.createdAt
      if kind == .session {
        guard now < seen + Self.idleLimit, now < found.createdAt + Self.ageLimit else { return nil }
      }
      // A visit may be in the future if the clock was set back since.
      if abs(now.timeIntervalSince(seen)) > 60 { state.unsaved[found.id] = now }
      return found
    }
  }

  /// Asks a shared store for a credential that this node doesn't know, because another node may have just created it.
  /// - Returns: whether there is one.
  public func learn(_ secret: some StringProtocol & Sendable) async throws(StoreError) -> Bool {
    guard store.isShared, let hash = AccessToken.hash(of: secret),
      state.withLock({ $0.credentials[hash] == nil }), let found = try await store.access.credential(hash)
    else { return false }
    state.withLock { $0.credentials[hash] = found }
    return true
  }

  /// Whether the browser of a session should get its cookie again.
  public func isRenewalDue(_ session: StoredCredential) -> Bool {
    session.kind == .session && abs(now().timeIntervalSince(session.renewedAt)) > Self.renewal
  }

  /// The seconds for which the cookie of a session stays valid.
  public func lifetime(of session: StoredCredential) -> Int {
    max(0, Int(min(Self.idleLimit, (session.createdAt + Self.ageLimit).timeIntervalSince(now()))))
  }

  // Signing in

  /// Signs a device in by the passphrase or a one-time code.
  /// - Parameters:
  ///   - secret: what the person typed.
  ///   - client: the client's address, for the limit on guesses.
  ///   - device: the name of the device.
  public func signIn(
    _ secret: String,
    from client: ClientAddress,
    device: String
  ) async throws(StoreError) -> SignIn {
    let now = now()
    let isBusy: Bool = state.withLock { state in
      guard state.checks < Self.waitingChecks else { return true }
      state.checks += 1
      return false
    }
    if isBusy { return .tooMany(seconds: 2) }
    defer { state.withLock { $0.checks -= 1 } }
    if let wait = try await guesses.take(client, at: now) { return .tooMany(seconds: wait) }
    let isCode: Bool
    do {
      isCode = try await codes.redeem(secret, at: now)
    } catch {
      // The first error says more.
      try? await guesses.refund(client, at: now)
      throw error
    }
    if !isCode, await !isPassphrase(secret) { return .wrong }
    do {
      try await guesses.forget(client, at: now)
      return .signedIn(try await openSession(of: device))
    } catch {
      if isCode { try? await codes.restore(secret) }
      throw error
    }
  }

  /// Signs a device in without a passphrase, for a caller that knows who uses it.
  public func openSession(of device: String) async throws(StoreError) -> AccessToken {
    let token = AccessToken()
    try await add(.session, token, name: device)
    return token
  }

  public func isPassphrase(_ text: String) async -> Bool {
    guard text.count <= PassphraseError.most else { return false }
    let known = state.withLock(\.passphrase)
    if let known, await thread.run({ known.matches(text) }) { return true }
    // Another node may have just changed it.
    guard store.isShared, (try? await load()) != nil, let newer = state.withLock(\.passphrase), newer != known
    else { return false }
    return await thread.run { newer.matches(text) }
  }

  /// Sets the passphrase; if there was another, all devices are signed out.
  /// - Throws: `PassphraseError` or `StoreError`.
  public func setPassphrase(_ text: String) async throws {
    try PassphraseError.check(text)
    let cost = cost
    let hash = try await thread.run { Result { try PassphraseHash(of: text, cost: cost) } }.get()
    try await store.access.setPassphrase(hash.text, at: now())
    try await load()
  }

  /// A one-time code that lets another device in within ten minutes.
  public func offerCode() async throws(StoreError) -> String {
    try await codes.offer(at: now())
  }

  // Devices and keys

  /// The signed-in devices, or the access keys; those used last come first.
  public func credentials(_ kind: StoredCredential.Kind) -> [StoredCredential] {
    state.withLock { state in
      state.credentials.values.filter { $0.kind == kind }
        .map { credential in
          state.unsaved[credential.id].map { credential.seen(at: $0) } ?? credential
        }
    }
    .sorted { ($0.seenAt ?? $0.createdAt, $0.id) > ($1.seenAt ?? $1.createdAt, $1.id) }
  }

  public func makeKey(named name: String) async throws(StoreError) -> AccessToken {
    let token = AccessToken()
    try await add(.key, token, name: name)
    return token
  }

  /// Signs a device out, or revokes a key.
  public func remove(_ id: StoredCredential.ID) async throws(StoreError) {
    try await store.access.remove(id)
    try await load()
  }

  /// Signs all devices out but one.
  public func signOutOthers(except id: StoredCredential.ID?) async throws(StoreError) {
    try await store.access.removeSessions(except: id)
    try await load()
  }

  /// Notes that the browser of a session got its cookie again.
  public func noteRenewed(_ session: StoredCredential) async throws(StoreError) {
    try await store.access.noteRenewed(session.id, at: now())
    try await load()
  }

  private func add(_ kind: StoredCredential.Kind, _ token: AccessToken, name: String) async throws(StoreError)
  {
    _ = try await store.access.add(kind, token.hash, name: name, at: now())
    try await load()
  }
}

extension StoredCredential {
  fileprivate func seen(at date: Date) -> StoredCredential {
    StoredCredential(
      id: id,
      kind: kind,
      hash: hash,
      name: name,
      createdAt: createdAt,
      renewedAt: renewedAt,
      seenAt: date
    )
  }
}

/// A secret of 256 random bits that lets a device or a program in; the store has only its hash.
public struct AccessToken: Hashable, Sendable {
  /// The length of its text.
  public static let length = 43

  /// The secret as base64url.
  public let text: String

  /// Makes a random secret.
  public init() {
    text = Base64URL.encode((0..<32).map { _ in UInt8.random(in: 0...255) })
  }

  /// The hash of a text that claims to be a secret; nil if it can't be one.
  public static func hash(of text: some StringProtocol) -> CredentialHash? {
    guard text.utf8.count == length else { return nil }
    return CredentialHash(of: text.utf8)
  }

  var hash: CredentialHash { CredentialHash(of: text.utf8) }
}
