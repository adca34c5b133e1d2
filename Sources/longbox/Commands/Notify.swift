// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import LongboxPush
import LongboxReaders
import LongboxStore

struct Notify: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Send a test notification to the browsers that are subscribed.",
    discussion: """
      Works beside a running server, and changes nothing: it only reports a browser that is no longer subscribed. The \
      server itself announces new comics.
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

  @Flag(help: "Print JSON instead of sentences.")
  var json = false

  @OptionGroup var options: Options

  private struct Line: Encodable {
    var number: Int64
    var service: String
    var delivered: Bool
    var result: String
  }

  func validate() throws {
    guard test else { throw ValidationError("Add --test: the server itself announces new comics.") }
  }

  func run() async throws {
    try await reportingErrors {
      let settings = try await DataFolder.settings(options)
      let subscriptions = try await Store.openReading(settings.store).subscriptions.all().filter {
        to == nil || $0.id == to
      }
      guard !subscriptions.isEmpty else {
        throw ReaderError.missing(
          to.map { "There is no subscription \($0). “longbox subscriptions” lists them." }
            ?? "There are no subscriptions. A browser subscribes in Settings, Notify me of new comics."
        )
      }
      guard let keys = try VAPIDKeys.stored(in: settings.data) else {
        throw ReaderError.missing(
          """
          The key of notifications (vapid.pem) is not in \(settings.data.path). Put it back from a backup, or from another \
          node.
          """
        )
      }
      let sender = settings.sender(keys)
      let console = Console()
      var lines: [Line] = []
      for subscription in subscriptions {
        let outcome = await Self.send(to: subscription, by: sender)
        let line = Line(
          number: subscription.id,
          service: subscription.service,
          delivered: outcome == .delivered,
          result: outcome.sentence
        )
        lines.append(line)
        if !json { try console.writeLines("\(line.number) (\(line.service)): \(line.result)") }
      }
      if json { try console.writeJSON(lines) }
      if !lines.allSatisfy(\.delivered) { throw ExitCode(69) }
    }
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
