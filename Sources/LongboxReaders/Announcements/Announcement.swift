// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore

/// What one reader is notified of next; equal announcements have the same text.
struct Announcement: Hashable {
  /// Which comics it is about.
  enum Subject: Hashable {
    case comic(Comic.Number)
    /// So many comics at once, and the newest of them.
    case several(Int, newest: Comic.Number)
  }

  let subject: Subject
  /// Whether it may neither say a title nor show the picture.
  let hidesSpoilers: Bool

  /// After a gap up to so many comics have a message each; more are one message.
  static let mostApart = 3
  /// In seconds: a message is of no use when the next comic is out, Monday's, Wednesday's and Friday's.
  static let timeToLive = 3 * 24 * 3600
  private static let longestTitle = 120

  init(_ subject: Subject, hidesSpoilers: Bool = false) {
    self.subject = subject
    self.hidesSpoilers = hidesSpoilers
  }

  /// The next announcement for a subscriber who was last notified of `announced`; nil if there is none.
  ///
  /// It skips numbers that the archive does not have: the caller has waited for them.
  init?(
    after announced: Comic.Number,
    upTo newest: Comic.Number,
    in archive: Archive,
    hidesSpoilers: Bool = false
  ) {
    let count = newest.ordinal - announced.ordinal
    guard count > 0 else { return nil }
    if count > Self.mostApart {
      self.init(.several(count, newest: newest), hidesSpoilers: hidesSpoilers)
      return
    }
    var next = announced.next
    while let number = next, number <= newest {
      if archive.comic(number) != nil {
        self.init(.comic(number), hidesSpoilers: hidesSpoilers)
        return
      }
      next = number.next
    }
    return nil
  }

  /// The newest comic that it announces.
  var last: Comic.Number {
    switch subject {
    case .comic(let number), .several(_, let number): number
    }
  }

  /// Lets a repeated message take the place of the first one, where that still waits for the device.
  var topic: String {
    switch subject {
    case .comic(let number): "comic-\(number.value)"
    case .several: "comics"
    }
  }

  /// What the service worker is given; `Web/src/worker/notifications.js` shows it.
  private struct Notification: Encodable {
    var comic: Int
    /// How many comics there are, where they are several.
    var count: Int?
    var title: String?
    /// The path of the small picture.
    var thumbnail: String?
    /// Whether the picture has to be blurred.
    var hides: Bool?
  }

  /// The text of the message.
  /// - Parameters:
  ///   - archive: where the comic is.
  ///   - thumbnail: the path of a comic's small picture.
  func text(in archive: Archive, thumbnail: (ArchivedComic) -> String?) throws -> [UInt8] {
    let comic = archive.comic(last)
    var notification = Notification(comic: last.value, hides: hidesSpoilers ? true : nil)
    notification.thumbnail = comic.flatMap(thumbnail)
    switch subject {
    case .comic:
      if !hidesSpoilers {
        notification.title = comic.map { String($0.title.description.prefix(Self.longestTitle)) }
      }
    case .several(let count, _): notification.count = count
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return [UInt8](try encoder.encode(notification))
  }
}
