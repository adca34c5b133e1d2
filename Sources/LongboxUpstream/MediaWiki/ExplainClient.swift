// Longbox
// SPDX-License-Identifier: MIT

public import LongboxCore

/// Asks explain xkcd for the wikitext of its pages, fifty at a time.
///
/// The whole wiki takes about 66 requests that way.
public struct ExplainClient: Sendable {
  /// Limits on size and time.
  public struct Limits: Equatable, Sendable {
    /// The longest reply in bytes; fifty pages have about 400,000, and the longest page alone 280,000.
    public var byteLimit = 16 << 20
    /// The time limit for a reply; the wiki is sometimes slow.
    public var timeLimit = Duration.seconds(60)
    /// The most partial replies to one batch.
    public var repliesPerBatch = 50
    /// The largest lag of the wiki's database that background work accepts, in seconds.
    public var maximumLag = 5

    public init() {}
  }

  /// The most pages in a reply: MediaWiki's limit without login.
  public static let batchSize = 50

  private let source: SourceClient
  private let address: ExplainAddress
  private let limits: Limits

  /// Makes a client.
  /// - Parameters:
  ///   - source: sends requests, under a policy.
  ///   - address: where the wiki is.
  ///   - limits: limits on size and time.
  public init(source: SourceClient, address: ExplainAddress = .standard, limits: Limits = Limits()) {
    self.source = source
    self.address = address
    self.limits = limits
  }

  /// Makes a client without pace and retries, for samples and tests.
  public init(transport: Transport, address: ExplainAddress = .standard, limits: Limits = Limits()) {
    self.init(source: SourceClient(over: transport), address: address, limits: limits)
  }

  /// The page about a comic, for a reader.
  /// - Throws: ``UpstreamError/notFound(_:subject:)`` if there is none.
  public func page(about number: Comic.Number) async throws(UpstreamError) -> ExplainPage {
    let subject = Self.subject([number.value])
    switch try await pages(about: [number])[number] {
    case .page(let page): return page
    case .missing: throw .notFound(.explain, subject: subject)
    case .tooLong(let limit): throw .rejected(.explain, .size(limit: limit))
    case nil: throw .malformed(.explain, at: "\(subject): the answer has no end")
    }
  }

  /// The pages about comics, in batches, split if too long: a huge page (1608, 2131) doesn't block others.
  /// - Parameters:
  ///   - numbers: which comics. For more than ``batchSize``, better call again after each batch, and store in
  ///     between.
  ///   - isBackground: whether no reader waits, so that a busy wiki may reject the request.
  /// - Returns: the result for each number, unless the wiki never completed it.
  public func pages(
    about numbers: [Comic.Number],
    isBackground: Bool = false
  ) async throws(UpstreamError) -> [Comic.Number: ExplainLookup] {
    var found: [Comic.Number: ExplainLookup] = [:]
    var start = 0
    while start < numbers.count {
      let end = min(start + Self.batchSize, numbers.count)
      let batch = try await batch(numbers[start..<end], isBackground)
      found.merge(batch) { $1 }
      start = end
    }
    return found
  }

  private func batch(
    _ numbers: ArraySlice<Comic.Number>,
    _ isBackground: Bool
  ) async throws(UpstreamError) -> [Comic.Number: ExplainLookup] {
    do throws(UpstreamError) {
      return try await wholeBatch(numbers, isBackground)
    } catch {
      guard case .rejected(_, .size(let limit)) = error, let first = numbers.first else { throw error }
      guard numbers.count > 1 else { return [first: .tooLong(limit: limit)] }
      let middle = numbers.startIndex + numbers.count / 2
      let firstHalf = try await batch(numbers[..<middle], isBackground)
      let secondHalf = try await batch(numbers[middle...], isBackground)
      return firstHalf.merging(secondHalf) { $1 }
    }
  }

  private func wholeBatch(
    _ numbers: ArraySlice<Comic.Number>,
    _ isBackground: Bool
  ) async throws(UpstreamError) -> [Comic.Number: ExplainLookup] {
    let values = numbers.map(\.value)
    let subject = Self.subject(values)
    var collected = WikiPages()
    var continuation: [String: String] = [:]
    for _ in 0..<limits.repliesPerBatch {
      let exchange = Exchange(
        source: .explain,
        subject: subject,
        address: address.pages(
          about: values,
          continuation: continuation,
          maximumLag: isBackground ? limits.maximumLag : nil
        ),
        byteLimit: limits.byteLimit,
        timeLimit: limits.timeLimit
      )
      let reply = try await source.send(exchange)
      let part: WikiReply
      do throws(WikiReply.Fault) {
        part = try WikiReply(json: reply.body)
      } catch {
        throw .malformed(.explain, at: "\(subject): \(error)")
      }
      collected.add(part)
      guard let next = part.continuation else {
        collected.isComplete = true
        break
      }
      if values.allSatisfy({ collected.page(about: $0) != nil }) { break }
      guard next != continuation else {
        throw .malformed(.explain, at: "\(subject): its continuation repeats the previous one")
      }
      continuation = next
    }
    var found: [Comic.Number: ExplainLookup] = [:]
    for number in numbers { found[number] = collected.page(about: number.value) }
    return found
  }

  private static func subject(_ numbers: [Int]) -> String {
    guard let first = numbers.first, let last = numbers.last, numbers.count > 1 else {
      return "explanation of comic \(numbers.first ?? 0)"
    }
    return "explanations of \(numbers.count) comics from \(first) to \(last)"
  }
}

/// The address of explain xkcd, or of what replaces it.
///
/// ## Configuration keys
/// - `LONGBOX_EXPLAIN_URL` (default `https://www.explainxkcd.com/wiki/api.php`): its `api.php`, MediaWiki's
///   action API.
public struct ExplainAddress: Hashable, Sendable {
  /// The address of `api.php`.
  public let api: WebAddress

  /// explain xkcd itself.
  public static var standard: ExplainAddress {
    ExplainAddress(
      api: WebAddress(
        origin: .init(scheme: .https, host: "www.explainxkcd.com", port: 443),
        target: "/wiki/api.php"
      )
    )
  }

  private init(api: WebAddress) {
    self.api = api
  }

  /// Parses the operator's address, which may be private or loopback.
  /// - Parameter api: `LONGBOX_EXPLAIN_URL`, or nil for explain xkcd itself.
  /// - Throws: ``SettingError/address(setting:value:)``.
  public init(api: String?) throws(SettingError) {
    self.api = try WebAddress(base: api, setting: "LONGBOX_EXPLAIN_URL", default: Self.standard.api)
  }

  /// The allowed hosts: the one configured, and the wiki's own for redirects.
  public var origins: Set<WebAddress.Origin> { Source.explain.ownOrigins.union([api.origin]) }

  /// The address of a query for pages; a comic's number redirects to its page: "353" to "353: Python".
  /// - Parameters:
  ///   - numbers: which comics, at most ``ExplainClient/batchSize``.
  ///   - continuation: the parameters that the last reply gave for the rest.
  ///   - maximumLag: the largest accepted lag of the wiki's database in seconds, for background work.
  func pages(
    about numbers: some Sequence<Int>,
    continuation: [String: String] = [:],
    maximumLag: Int? = nil
  ) -> WebAddress {
    var fields = [
      ("action", "query"), ("format", "json"), ("formatversion", "2"), ("prop", "revisions"),
      ("rvprop", "ids|timestamp|content"), ("rvslots", "main"), ("redirects", "1"),
      ("titles", numbers.map { "\($0)" }.joined(separator: "|")),
    ]
    if let maximumLag { fields.append(("maxlag", "\(maximumLag)")) }
    fields += continuation.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    return api.asking(fields.map { (name: $0.0, value: $0.1) })
  }
}

/// A page of explain xkcd about a comic, as its editors wrote it.
public struct ExplainPage: Equatable, Sendable {
  /// The page's name, such as "353: Python".
  public let title: String
  /// The number of the revision; it changes with the text.
  public let revision: Int
  /// When that revision was written, in the wiki's format: `2026-08-07T13:04:05Z`.
  public let timestamp: String
  /// The wikitext, which `WikiPage` parses.
  public let wikitext: String

  public init(title: String, revision: Int, timestamp: String, wikitext: String) {
    self.title = title
    self.revision = revision
    self.timestamp = timestamp
    self.wikitext = wikitext
  }
}

/// What explain xkcd has about a comic.
public enum ExplainLookup: Equatable, Sendable {
  case page(ExplainPage)
  /// There is none: the comic is new, or its number leads to another page.
  case missing
  /// The page alone exceeds this many bytes of JSON, and was not read.
  case tooLong(limit: Int)
}

/// The pages of the replies to one batch, in which redirects and texts may come apart.
struct WikiPages {
  /// The most redirects for one page; the wiki itself follows one.
  private static let redirectLimit = 4

  /// Whether the wiki has sent everything.
  var isComplete = false
  private var normalized: [String: String] = [:]
  private var redirects: [String: String] = [:]
  private var pages: [String: WikiReply.Page] = [:]

  mutating func add(_ reply: WikiReply) {
    normalized.merge(reply.normalized) { $1 }
    redirects.merge(reply.redirects) { $1 }
    // The first text is the newest; a continuation may bring older revisions.
    for page in reply.pages where pages[page.title]?.wikitext == nil { pages[page.title] = page }
  }

  /// The page about a comic, or why there is none; nil if the wiki has not sent it yet.
  func page(about number: Int) -> ExplainLookup? {
    var title = "\(number)"
    title = normalized[title] ?? title
    var steps = 0
    while let target = redirects[title] {
      title = target
      steps += 1
      guard steps <= Self.redirectLimit else { return .missing }
    }
    guard let page = pages[title] else { return isComplete ? .missing : nil }
    // A number may lead to a page about something else, which is not the comic's explanation.
    guard !page.isMissing, page.title == "\(number)" || page.title.hasPrefix("\(number):") else {
      return .missing
    }
    guard let wikitext = page.wikitext else { return isComplete ? .missing : nil }
    return .page(
      ExplainPage(
        title: page.title,
        revision: page.revision ?? 0,
        timestamp: page.timestamp,
        wikitext: wikitext
      )
    )
  }
}
