// Longbox
// SPDX-License-Identifier: MIT

public import Foundation
public import LongboxStore
public import LongboxUpstream

/// Checks a data folder, its machine and its sources, and changes nothing; a server may run on the folder.
public struct Examination: Sendable {
  let location: StoreLocation
  let settings: ServerSettings
  let sources: [SourceQuestion]
  /// Whether this process is the server.
  let isServing: Bool
  /// The requests that the server refused for their name; nil if there are none, or no server runs.
  let refusedHosts: @Sendable () async -> RefusedHosts?
  /// In the server, since when the iTunes Store refuses to answer.
  let storePause: @Sendable () async -> SourcePause?
  let now: @Sendable () -> Date

  /// Prepares the checks.
  /// - Parameters:
  ///   - location: where the store is.
  ///   - settings: the settings that a server would have.
  ///   - sources: the sources to ask.
  ///   - isServing: whether this process is the server.
  ///   - refusedHosts: asks the server which requests it refused for their name.
  ///   - storePause: in the server, since when the iTunes Store refuses to answer. Beside a server, that is asked.
  ///   - now: the time.
  public init(
    of location: StoreLocation,
    settings: ServerSettings,
    sources: [SourceQuestion],
    isServing: Bool = false,
    refusedHosts: @escaping @Sendable () async -> RefusedHosts? = { nil },
    storePause: @escaping @Sendable () async -> SourcePause? = { nil },
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.location = location
    self.settings = settings
    self.sources = sources
    self.isServing = isServing
    self.refusedHosts = refusedHosts
    self.storePause = storePause
    self.now = now
  }

  /// Checks everything; the sources have five seconds to answer.
  /// - Parameter store: the server's store; nil to open the folder for reading.
  public func diagnosis(on store: Store? = nil) async -> Diagnosis {
    let opened = if let store { Result<Store, StoreError>.success(store) } else { await open() }
    let port = await portOutcome()
    let pause = if case .longbox(let pause) = port { pause } else { await self.storePause() }
    async let replies = answers(whilePaused: pause)
    var findings = [await examineStore(opened), examineDisk(), examinePermissions()]
    if let finding = examineFileSystem() { findings.insert(finding, at: 2) }
    let check = await read(opened) { store throws(StoreError) in try await store.fetches.newestCheck() }
    let usage = await read(opened) { store throws(StoreError) in try await store.usage() }
    let access = await read(opened) { store throws(StoreError) in try await store.access.all() }
    findings += examineSources(await replies, check, pause)
    findings.append(examineClock(await replies, try? check.get()))
    findings.append(examineCertificates())
    findings.append(examineKeys(usage, access))
    findings.append(examineContact())
    if let usage = try? usage.get() { findings.append(examineSubscriptions(usage)) }
    findings.append(examineBackups())
    findings.append(examinePort(port))
    if let refused = await refusedHosts() { findings.append(examineNames(refused)) }
    if let finding = examineMemory() { findings.append(finding) }
    return Diagnosis(date: now(), findings: findings)
  }

  var folder: URL { location.folder }

  private func open() async -> Result<Store, StoreError> {
    do throws(StoreError) { return .success(try await Store.openReading(location)) } catch {
      return .failure(error)
    }
  }

  /// Reads from the store; nil if nothing is stored.
  private func read<Value: Sendable>(
    _ opened: Result<Store, StoreError>,
    _ value: (Store) async throws(StoreError) -> Value?
  ) async -> Result<Value?, StoreError> {
    do throws(StoreError) {
      return .success(try await value(opened.get()))
    } catch {
      if case .nothingStored = error { return .success(nil) }
      return .failure(error)
    }
  }

  /// A number of things, such as "1 comic" or "2 comics".
  static func counted(_ number: Int, _ thing: String) -> String {
    number == 1 ? "1 \(thing)" : "\(number) \(thing)s"
  }

  /// A duration in words, such as "3 hours"; durations beyond what `Int` can count are the longest one.
  static func spelled(seconds: TimeInterval) -> String {
    let minutes = Int(within: seconds / 60)
    if minutes < 1 { return "less than a minute" }
    if minutes < 120 { return counted(minutes, "minute") }
    if minutes < 48 * 60 { return counted(minutes / 60, "hour") }
    return counted(minutes / (24 * 60), "day")
  }
}

/// A small request that shows whether a source answers.
public struct SourceQuestion: Sendable {
  let source: Source
  let address: String
  /// Sends the request; nil if Longbox doesn't use the source.
  let ask: (@Sendable () async throws(UpstreamError) -> Reply)?

  public init(_ exchange: Exchange, over transport: Transport) {
    source = exchange.source
    address = exchange.address.origin.description
    ask = { () async throws(UpstreamError) in try await transport.send(exchange) }
  }

  /// Creates a question for a source that Longbox doesn't use, because of the settings.
  public init(unasked source: Source) {
    self.source = source
    address = ""
    ask = nil
  }
}

/// What all checks of the server found, in the order of the subjects.
public struct Diagnosis: Equatable, Sendable {
  public let date: Date
  public let findings: [Finding]

  public var worst: Finding.Level { findings.map(\.level).max() ?? .ok }

  /// The findings as lines: level, subject and what was found, and below it what to do.
  public var lines: [String] {
    findings.flatMap { finding in
      let level = finding.level.rawValue.padding(toLength: 9, withPad: " ", startingAt: 0)
      let line = "\(level)\(finding.subject.name): \(finding.text)"
      return [line] + (finding.advice.map { ["         → \($0)"] } ?? [])
    }
  }
}

extension Diagnosis: Encodable {
  private enum Key: String, CodingKey { case checkedAt, worst, findings }

  /// Writes `checkedAt`, `worst` and `findings`, each with `subject`, `level`, `text` and perhaps `advice`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(date, forKey: .checkedAt)
    try container.encode(worst, forKey: .worst)
    try container.encode(findings, forKey: .findings)
  }
}

/// What one check of the server found.
public struct Finding: Encodable, Equatable, Sendable {
  public enum Level: String, CaseIterable, Comparable, Encodable, Sendable {
    /// Nothing needs to be done.
    case ok
    /// It works, but needs attention.
    case warning
    /// It doesn't work, or readers can lose something.
    case problem

    /// Whether a level is less bad than another.
    public static func < (one: Level, other: Level) -> Bool { one.rank < other.rank }

    private var rank: Int {
      switch self {
      case .ok: 0
      case .warning: 1
      case .problem: 2
      }
    }
  }

  /// The parts of the server that are checked.
  public enum Subject: String, CaseIterable, Encodable, Sendable {
    case store, disk, permissions, xkcd, explain, itunes, wikipedia, clock, certificates, keys, contact,
      subscriptions, backups
    case port, names, memory

    public var name: String {
      switch self {
      case .store: "Store"
      case .disk: "Disk"
      case .permissions: "Permissions"
      case .xkcd: "xkcd"
      case .explain: "explain xkcd"
      case .itunes: "iTunes Store"
      case .wikipedia: "Wikipedia"
      case .clock: "Clock"
      case .certificates: "Certificates"
      case .keys: "Keys"
      case .contact: "Contact"
      case .subscriptions: "Subscriptions"
      case .backups: "Backups"
      case .port: "Port"
      case .names: "Names"
      case .memory: "Memory"
      }
    }
  }

  public var subject: Subject
  public var level: Level
  /// What was found, in a sentence or two.
  public var text: String
  /// What to do; nil if nothing needs to be done.
  public var advice: String?

  static func ok(_ subject: Subject, _ text: String, _ advice: String? = nil) -> Finding {
    Finding(subject: subject, level: .ok, text: text, advice: advice)
  }

  static func warning(_ subject: Subject, _ text: String, _ advice: String) -> Finding {
    Finding(subject: subject, level: .warning, text: text, advice: advice)
  }

  static func problem(_ subject: Subject, _ text: String, _ advice: String) -> Finding {
    Finding(subject: subject, level: .problem, text: text, advice: advice)
  }
}

extension Int {
  /// This number of bytes in words, such as "1.2 GB".
  public var spelledAsBytes: String {
    ByteCountFormatStyle(style: .file, spellsOutZero: false, locale: Locale(identifier: "en_US")).format(
      Int64(self)
    )
  }
}
