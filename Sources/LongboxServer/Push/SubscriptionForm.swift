// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import LongboxPush
import LongboxReaders
import LongboxStore

/// A browser's subscription to notifications: its `PushSubscription` as JSON, and the reader's settings.
struct SubscriptionForm: Decodable {
  struct Keys: Decodable {
    let p256dh: String
    let auth: String
  }

  /// The reader's notification settings.
  struct Preferences: Codable, Equatable {
    struct Quiet: Codable, Equatable {
      let from: String
      let until: String
    }

    var hidesSpoilers: Bool
    /// Nil if the reader may be notified at any hour.
    var quietHours: Quiet?
    var timeZone: String
  }

  let endpoint: String
  let keys: Keys
  /// If missing, the stored settings stay.
  let wishes: Preferences?
  /// The browser's previous endpoint.
  let replaces: String?

  /// Validates everything except the endpoint's host.
  /// - Returns: the subscription and the origin of its push service.
  func checked(by sender: PushSender, library: LibraryName?) throws(Problem) -> (
    NewSubscription, PushEndpoint.Origin
  ) {
    let endpoint: PushEndpoint
    do throws(EndpointRejection) {
      endpoint = try sender.endpoint(self.endpoint)
    } catch {
      throw Problem(.badRequest, error.description, parameter: "endpoint")
    }
    let (publicKey, secret) = (Base64URL.decode(keys.p256dh) ?? [], Base64URL.decode(keys.auth) ?? [])
    do throws(SubscriberKeys.Problem) {
      _ = try SubscriberKeys(publicKey: publicKey, secret: secret)
    } catch {
      throw Problem(.badRequest, error.description, parameter: "keys")
    }
    let new = NewSubscription(
      endpoint: endpoint.description,
      service: endpoint.origin.description,
      publicKey: publicKey,
      secret: secret,
      library: library,
      preferences: try wishes?.checked(),
      replaces: replaces
    )
    return (new, endpoint.origin)
  }
}

extension SubscriptionForm.Preferences {
  init(_ preferences: PushPreferences) {
    hidesSpoilers = preferences.hidesSpoilers
    quietHours = preferences.quietHours.map { Quiet(from: $0.fromText, until: $0.untilText) }
    timeZone = preferences.timeZone
  }

  fileprivate func checked() throws(Problem) -> PushPreferences {
    guard timeZone.utf8.count <= 64, TimeZone(identifier: timeZone) != nil else {
      throw Problem(
        .badRequest,
        "The time zone has to be one of the IANA database, such as Europe/Berlin.",
        parameter: "timeZone"
      )
    }
    var hours: QuietHours?
    if let quietHours {
      hours = QuietHours(from: quietHours.from, until: quietHours.until)
      guard hours != nil else {
        throw Problem(
          .badRequest,
          "Quiet hours have to begin and end at two different times such as 22:00 and 07:30.",
          parameter: "quietHours"
        )
      }
    }
    return PushPreferences(hidesSpoilers: hidesSpoilers, quietHours: hours, timeZone: timeZone)
  }
}
