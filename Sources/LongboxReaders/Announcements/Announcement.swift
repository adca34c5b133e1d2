// Longbox
// SPDX-License-Identifier: MIT

package import Foundation
import LongboxCore

/// The next notification for a subscriber; equal announcements have the same text.
struct Announcement: Hashable {
  enum Subject: Hashable {
    case comic(Comic.Number)
    /// The number of comics, and the newest of them.
    case several(Int, newest: Comic.Number)
  }

  let subject: Subject
  /// Whether the message omits the title and the picture is blurred.
  let hidesSpoilers: Bool

  /// Up to this many new comics have a message each; more share one message.
  static let maxSeparate = 3
  /// In seconds; comics appear on Monday, Wednesday and Friday, so a message is obsolete after three days.
  static let timeToLive = 3 * 24 * 3600
  private static let longestTitle = 120

  init(_ subject: Subject, hidesSpoilers: Bool = false) {
    self.subject = subject
    self.hidesSpoilers = hidesSpoilers
  }

  /// The next announcement for a subscriber last notified of `announced`; nil if there is none.
  ///
  /// It skips numbers that the archive lacks: the caller has already waited for them.
  init?(
    after announced: Comic.Number,
    upTo newest: Comic.Number,
    in archive: Archive,
    hidesSpoilers: Bool = false
  ) {
    let count = newest.ordinal - announced.ordinal
    guard count > 0 else { return nil }
    if count > Self.maxSeparate {
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

  var last: Comic.Number {
    switch subject {
    case .comic(let number), .several(_, let number): number
    }
  }

  /// Lets a repeated message replace the first one while that waits for the device.
  var topic: String {
    switch subject {
    case .comic(let number): "comic-\(number.value)"
    case .several: "comics"
    }
  }

  /// The JSON for the service worker; `Web/src/worker/news.js` shows it.
  private struct Notification: Encodable {
    var comic: Int
    /// Set if there are several comics.
    var count: Int?
    var title: String?
    var thumbnail: String?
    /// Whether to blur the picture.
    var hides: Bool?
  }

  func text(in archive: Archive, thumbnail: (ArchivedComic) -> String?) throws -> [UInt8] {
    let comic = archive.comic(last)
    var notification = Notification(comic: last.value, hides: hidesSpoilers ? true : nil)
    notification.thumbnail = comic.flatMap(thumbnail)
    switch subject {
    case .comic:
      if !hidesSpoilers {
        notification.title = comic.map {
          String($0.title.withoutDirectionMarks.description.prefix(Self.longestTitle))
        }
      }
    case .several(let count, _): notification.count = count
    }
    return [UInt8](try JSONEncoder.stable.encode(notification))
  }
}

extension JSONEncoder {
  /// An encoder that encodes equal values to equal bytes: the keys are sorted, and slashes aren't escaped.
  package static var stable: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }
}
