// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCore
import LongboxPages
import LongboxPush

/// What a reader is told in one message.
enum Announcement: Hashable {
  /// Of one comic.
  case comic(Comic.Number)
  /// Of several at once, since they are too many for a message each: how many, and the newest of them.
  case several(Int, newest: Comic.Number)

  /// After a gap so many comics are told of one by one; more are one message.
  static let mostApart = 3
  /// A message is of no use when the next comic is out: Monday's, Wednesday's and Friday's.
  private static let timeToLive = 3 * 24 * 3600
  private static let longestTitle = 120

  /// What is to be told next to who knows of all comics up to one; nothing where there is nothing.
  ///
  /// A number that the archive does not have is passed over: whoever asks has waited for it.
  init?(after announced: Comic.Number, upTo newest: Comic.Number, in archive: Archive) {
    let count = newest.ordinal - announced.ordinal
    guard count > 0 else { return nil }
    if count > Self.mostApart {
      self = .several(count, newest: newest)
      return
    }
    var next = announced.next
    while let number = next, number <= newest {
      if archive.comic(number) != nil {
        self = .comic(number)
        return
      }
      next = number.next
    }
    return nil
  }

  /// The comic up to which all are told of with it.
  var last: Comic.Number {
    switch self {
    case .comic(let number), .several(_, let number): number
    }
  }

  /// What the service worker is given; `worker-push.js` shows it.
  private struct News: Encodable {
    var comic: Int
    /// How many comics there are, where they are several.
    var count: Int?
    var title: String?
    /// The path of the small picture.
    var thumbnail: String?
    /// Whether the picture has to be blurred.
    var hides: Bool?
  }

  /// The message.
  /// - Parameters:
  ///   - archive: where the comic is.
  ///   - hidesSpoilers: whether it may say no title.
  func message(in archive: Archive, hidesSpoilers: Bool) throws -> PushMessage {
    let comic = archive.comic(last)
    var news = News(comic: last.value, hides: hidesSpoilers ? true : nil)
    news.thumbnail = comic?.picture.map { Link.thumbnail(last, version: $0.versionText).address.description }
    var topic = "comic-\(last.value)"
    switch self {
    case .comic:
      if !hidesSpoilers { news.title = comic.map { String($0.title.description.prefix(Self.longestTitle)) } }
    case .several(let count, _):
      news.count = count
      topic = "comics"
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // The topic lets a repeated message take the place of the first one, where that still waits for the device.
    return PushMessage([UInt8](try encoder.encode(news)), timeToLive: Self.timeToLive, topic: topic)
  }
}
