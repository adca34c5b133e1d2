// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import Synchronization

/// Replays xkcd.com: the API, and minimal pages so that links work, such as those of larger versions.
struct XkcdSource: Source {
  let name = "xkcd"
  let recording: XkcdRecording

  /// Claims all addresses; the other sites are asked first.
  func claims(_ path: String) -> Bool { true }

  func respond(to request: SourceRequest) -> Response {
    let parts = request.path.split(separator: "/", omittingEmptySubsequences: true)
    let latest = recording.latest
    switch parts.count {
    case 0: return page(of: latest)
    case 1 where parts[0] == "info.0.json": return api(latest, headers: request.headers)
    case 1:
      return Int(parts[0]).map(page) ?? largerVersion(parts[0].split(separator: "_", maxSplits: 1))
    case 2 where XkcdPicturesSource.sizes.contains(String(parts[1])): return largerVersion(parts)
    case 2 where parts[1] == "info.0.json":
      return Int(parts[0]).map { api($0, headers: request.headers) } ?? .notFound
    default: return .notFound
    }
  }

  private func api(_ number: Int, headers: HTTPFields) -> Response {
    guard let record = recording.published(number) else { return .notFound }
    return StoredFile(bytes: record.json, mediaType: "application/json", lastModified: record.lastModified)
      .response(to: headers)
  }

  /// The page of a larger version, `/980/huge/` or `/850_large/`, with the picture `money_huge.png`.
  private func largerVersion(_ parts: [Substring]) -> Response {
    guard parts.count == 2, let number = Int(parts[0]), let record = recording.published(number),
      let name = XkcdPicturesSource.largerName(of: record.pictureName, size: String(parts[1]))
    else { return .notFound }
    let picture = "<a href=\"/\(number)/\"><img src=\"https://imgs.xkcd.com/comics/\(name)\"></a>"
    return .html(status: .ok, "xkcd \(number), larger, replayed", content: picture)
  }

  private func page(of number: Int) -> Response {
    guard recording.published(number) != nil else { return .notFound }
    return .html(status: .ok, "xkcd \(number), replayed")
  }
}

/// Replays imgs.xkcd.com: recorded pictures, and placeholders for the others.
struct XkcdPicturesSource: Source {
  /// What to serve for a published comic's picture that isn't recorded.
  enum Missing: String, CaseIterable, Sendable { case placeholder, none = "404" }
  /// What to serve as double-size pictures, of which none is recorded.
  enum DoubleSize: String, CaseIterable, Sendable { case generated, none }

  /// The first comic that xkcd published in double size.
  static let firstDoubleSize = 1084

  let name = "imgs"
  let recording: XkcdRecording
  let missing: Missing
  let doubleSize: DoubleSize

  func claims(_ path: String) -> Bool { path.hasPrefix("/comics/") }

  func respond(to request: SourceRequest) -> Response {
    guard request.path.hasPrefix("/comics/"),
      let name = request.path.dropFirst("/comics/".count).removingPercentEncoding,
      let picture = picture(named: name) ?? doubled(name) ?? larger(name)
    else { return .notFound }
    return picture.response(to: request.headers)
  }

  /// The picture with a decoded name, if its comic is published.
  private func picture(named name: String) -> StoredFile? {
    guard let owner = recording.owner(of: name) else { return nil }
    return recording.state.withLock { $0.pictures[name] } ?? recorded(name)
      ?? placeholder(name, for: owner, scale: 1)
  }

  private func doubled(_ name: String) -> StoredFile? {
    guard doubleSize == .generated, let single = Self.singleSizeName(of: name),
      let owner = recording.owner(of: single), owner.number >= Self.firstDoubleSize
    else { return nil }
    // Nothing is scaled: the double of a recorded picture has the same bytes.
    return recorded(single) ?? placeholder(single, for: owner, scale: 2)
  }

  /// The larger version of a comic: a placeholder of four times the usual size, since none is recorded.
  private func larger(_ name: String) -> StoredFile? {
    for size in Self.sizes {
      guard let mark = name.range(of: "_\(size).", options: .backwards) else { continue }
      let single = name[..<mark.lowerBound] + "." + name[mark.upperBound...]
      if let owner = recording.owner(of: String(single)) {
        return placeholder(String(single), for: owner, scale: 4)
      }
    }
    return nil
  }

  /// The names of larger versions on xkcd.com.
  static let sizes: Set = ["large", "huge"]

  /// The name of a larger version, `money_huge.png`; nil if the comic has no picture.
  static func largerName(of name: String, size: String) -> String? {
    guard sizes.contains(size), let dot = name.lastIndex(of: ".") else { return nil }
    return name[..<dot] + "_\(size)" + name[dot...]
  }

  private func recorded(_ name: String) -> StoredFile? {
    guard let file = recording.files[name], let data = try? Data(contentsOf: file),
      let attributes = try? FileManager.default.attributesOfItem(atPath: file.path),
      let modified = attributes[.modificationDate] as? Date
    else { return nil }
    // An ETag of time and size, like nginx's, needs no second read of the picture.
    let seconds = String(Int(modified.timeIntervalSince1970), radix: 16)
    return StoredFile(
      bytes: ByteBuffer(bytes: data),
      mediaType: Picture.mediaType(of: name),
      etag: "\"\(seconds)-\(String(data.count, radix: 16))\"",
      lastModified: modified
    )
  }

  private func placeholder(_ name: String, for owner: XkcdRecord, scale: Int) -> StoredFile? {
    guard missing == .placeholder, name.contains(".") else { return nil }
    return StoredFile(
      bytes: Picture.panels(number: owner.number, scale: scale).png,
      mediaType: "image/png",
      lastModified: owner.lastModified
    )
  }

  /// `python.png` for `python_2x.png`; nil if the name isn't that of a double-size picture.
  static func singleSizeName(of name: String) -> String? {
    guard let mark = name.range(of: "_2x.", options: .backwards), !name[mark.upperBound...].contains(".")
    else { return nil }
    return name[..<mark.lowerBound] + "." + name[mark.upperBound...]
  }
}
