// Longbox
// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import LongboxCore
import LongboxStore

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
