// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import LongboxCatalog
import LongboxCore
import LongboxPush
import LongboxReaders
import LongboxServer
import LongboxStore

struct Notify: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Send a test notification to the browsers that are subscribed, and to hooks.",
    discussion: """
      Works beside a running server, and changes nothing: it only reports a browser that is no longer subscribed. The \
      server itself announces new comics. Hooks are the addresses in LONGBOX_HOOKS; they get the latest comic.
      """
  )

  @Flag(help: "Send a notification that says it is a test.")
  var test = false

  @Option(
    help: ArgumentHelp(
      "One subscription only, by its number in `longbox subscriptions`.",
      valueName: "number"
    )
  )
  var to: Int64?

  @Option(help: ArgumentHelp("One hook only, by its place in LONGBOX_HOOKS, from 1.", valueName: "place"))
  var hook: Int?

  @Flag(help: "Print JSON instead of sentences.")
  var json = false

  @OptionGroup var options: Options

  private struct Line: Encodable {
    /// `browser` or `hook`.
    var kind: String
    var number: Int64
    var service: String
    var delivered: Bool
    var result: String
  }

  func validate() throws {
    guard test else { throw ValidationError("Add --test: the server itself announces new comics.") }
    if to != nil, hook != nil { throw ValidationError("Use --to or --hook, not both.") }
  }

  func run() async throws {
    try await reportingErrors {
      let settings = try await DataFolder.settings(options)
      let store = try await Store.openReading(settings.store)
      let hooks = try hooks(settings)
      let subscriptions =
        hook == nil ? try await store.subscriptions.all().filter { to == nil || $0.id == to } : []
      guard !subscriptions.isEmpty || !hooks.isEmpty else {
        throw ReaderError.missing(
          to.map { "There is no subscription \($0). “longbox subscriptions” lists them." }
            ?? """
            There are no subscriptions and no hooks. A browser subscribes in Settings, Notify me of new comics; \
            LONGBOX_HOOKS names hooks.
            """
        )
      }
      let console = Console()
      var lines: [Line] = []
      func note(_ line: Line) throws {
        lines.append(line)
        let name = line.kind == "hook" ? "Hook \(line.number)" : "\(line.number)"
        if !json { try console.writeLines("\(name) (\(line.service)): \(line.result)") }
      }
      if !subscriptions.isEmpty {
        let sender = try sender(settings)
        for subscription in subscriptions {
          let outcome = await Self.send(to: subscription, by: sender)
          let line = Line(
            kind: "browser",
            number: subscription.id,
            service: subscription.service,
            delivered: outcome == .delivered,
            result: outcome.sentence
          )
          try note(line)
        }
      }
      if let sender = settings.hooks, !hooks.isEmpty {
        guard let comic = try await StoredCatalog(store).archive.latest else {
          throw ReaderError.missing("No comic is stored yet, so there is nothing to send to hooks.")
        }
        let message = try HookMessage(about: comic, on: settings.site, isTest: true)
        for index in hooks {
          let outcome = await sender.test(index, with: message)
          let line = Line(
            kind: "hook",
            number: Int64(index + 1),
            service: sender.hooks[index].name,
            delivered: outcome == .delivered,
            result: outcome.sentence
          )
          try note(line)
        }
      }
      if json { try console.writeJSON(lines) }
      if !lines.allSatisfy(\.delivered) { throw ExitCode(69) }
    }
  }

  /// The indices of the hooks to test.
  private func hooks(_ settings: Settings) throws -> Range<Int> {
    let count = settings.hooks?.hooks.count ?? 0
    guard let hook else { return to == nil ? 0..<count : 0..<0 }
    guard (1...max(count, 1)).contains(hook), count > 0 else {
      throw ReaderError.missing("There is no hook \(hook): LONGBOX_HOOKS has \(count).")
    }
    return hook - 1..<hook
  }

  private func sender(_ settings: Settings) throws -> PushSender {
    guard let keys = try VAPIDKeys.stored(in: settings.data) else {
      throw ReaderError.missing(
        """
        The key of notifications (vapid.pem) is not in \(settings.data.path). Put it back from a backup, or from another \
        node.
        """
      )
    }
    return settings.sender(keys)
  }

  private static func send(to subscription: StoredSubscription, by sender: PushSender) async
    -> DeliveryResult.Outcome
  {
    do {
      let endpoint = try sender.endpoint(subscription.endpoint)
      let keys = try SubscriberKeys(publicKey: subscription.publicKey, secret: subscription.secret)
      let message = Message(
        to: endpoint,
        keys,
        text: Array(#"{"test":true}"#.utf8),
        timeToLive: 600,
        urgency: .high,
        topic: "test"
      )
      return try await sender.withService(at: endpoint.origin) { await $0.send(message) }
    } catch {
      return .rejected(reason: "\(error)")
    }
  }
}

extension DeliveryResult.Outcome {
  fileprivate var sentence: String {
    switch self {
    case .delivered: "the push service has taken it."
    case .gone: "this browser is no longer subscribed."
    case .unsent: "it was not sent."
    case .later(_, let reason), .unanswered(let reason), .unauthorized(let reason), .rejected(let reason):
      reason
    }
  }
}

struct Subscriptions: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the browsers that get notifications of new comics, or remove one.",
    subcommands: [List.self, Remove.self],
    defaultSubcommand: List.self
  )

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the browsers that get notifications of new comics.",
      discussion: "Works beside a running server."
    )

    @Flag(help: "Print JSON instead of lines.")
    var json = false

    @OptionGroup var options: Options

    func run() async throws {
      try await reportingErrors {
        let settings = try await DataFolder.settings(options)
        let lines = try await Store.openReading(settings.store).subscriptions.all().map { Line($0) }
        try Console().write(
          lines,
          asJSON: json,
          lines: lines.isEmpty ? ["There are no subscriptions."] : lines.map(\.text)
        )
      }
    }
  }

  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Remove a subscription.",
      discussion:
        "The server must not be running. The browser subscribes again when its reader next opens the settings."
    )

    @Argument(help: "The subscription's number in the list.")
    var number: Int64

    @Flag(help: "Print JSON instead of a sentence.")
    var json = false

    @OptionGroup var options: Options

    private struct Report: Encodable {
      var removed: Int64
    }

    func run() async throws {
      try await reportingErrors {
        let settings = try await DataFolder.settings(options)
        let wasThere = try await DataFolder.open(settings.store).subscriptions.remove(number)
        guard wasThere else {
          throw ReaderError.missing("There is no subscription \(number). “longbox subscriptions” lists them.")
        }
        try Console().write(
          Report(removed: number),
          asJSON: json,
          lines: ["Subscription \(number) was removed."]
        )
      }
    }
  }

  /// A subscription in the list, without its endpoint, which is the reader's secret.
  private struct Line: Encodable {
    let number: Int64
    let service: String
    let since: Date
    let isConfirmed: Bool
    let announced: Int?
    let hidesSpoilers: Bool
    let waitsUntil: Date?
    let failure: String?
    let failedAt: Date?

    init(_ subscription: StoredSubscription) {
      number = subscription.id
      service = subscription.service
      since = subscription.createdAt
      isConfirmed = subscription.isConfirmed
      announced = subscription.announced?.value
      hidesSpoilers = subscription.preferences.hidesSpoilers
      waitsUntil = subscription.nextTry
      failure = subscription.failure
      failedAt = subscription.failedAt
    }

    var text: String {
      var parts = ["\(number)  \(service)  since \(since.formatted(.iso8601.year().month().day()))"]
      if !isConfirmed { parts.append("not confirmed yet") }
      parts.append(announced.map { "notified up to \($0)" } ?? "not notified yet")
      if hidesSpoilers { parts.append("no spoilers") }
      if let waitsUntil { parts.append("waits until \(waitsUntil.formatted(.iso8601))") }
      if let failure { parts.append("last failure: \(failure)") }
      return parts.joined(separator: ", ")
    }
  }
}
