// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import Synchronization

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
    else { return .html(status: .notFound, "404 Not Found") }
    return picture.response(to: request.headers)
  }

  /// The picture with a decoded name, if its comic is published.
  private func picture(named name: String) -> StoredFile? {
    let (owner, sent) = recording.state.withLock { state in
      (state.owners[name].flatMap { state.published($0) }, state.pictures[name])
    }
    guard let owner else { return nil }
    return sent ?? recorded(name) ?? placeholder(name, for: owner, scale: 1)
  }

  private func doubled(_ name: String) -> StoredFile? {
    guard doubleSize == .generated, let single = Self.singleSizeName(of: name),
      let owner = recording.state.withLock({ state in state.owners[single].flatMap { state.published($0) } }),
      owner.number >= Self.firstDoubleSize
    else { return nil }
    // Nothing is scaled: the double of a recorded picture has the same bytes.
    return recorded(single) ?? placeholder(single, for: owner, scale: 2)
  }

  /// The larger version of a comic: a placeholder of four times the usual size, since none is recorded.
  private func larger(_ name: String) -> StoredFile? {
    for size in Self.sizes {
      guard let mark = name.range(of: "_\(size).", options: .backwards) else { continue }
      let single = name[..<mark.lowerBound] + "." + name[mark.upperBound...]
      let owner = recording.state.withLock { state in
        state.owners[String(single)].flatMap { state.published($0) }
      }
      if let owner { return placeholder(String(single), for: owner, scale: 4) }
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
      mediaType: mediaType(of: name),
      etag: "\"\(seconds)-\(String(data.count, radix: 16))\"",
      lastModified: modified
    )
  }

  private func placeholder(_ name: String, for owner: XkcdRecord, scale: Int) -> StoredFile? {
    guard missing == .placeholder, let format = PictureFormat(fileName: name) else { return nil }
    let picture = PlaceholderPicture(number: owner.number, scale: scale)
    return StoredFile(
      bytes: picture.encoded(as: format),
      mediaType: format.mediaType,
      lastModified: owner.lastModified
    )
  }

  private func mediaType(of name: String) -> String {
    PictureFormat(fileName: name)?.mediaType ?? "application/octet-stream"
  }

  /// `python.png` for `python_2x.png`; nil if the name isn't that of a double-size picture.
  static func singleSizeName(of name: String) -> String? {
    guard let mark = name.range(of: "_2x.", options: .backwards), !name[mark.upperBound...].contains(".")
    else {
      return nil
    }
    return name[..<mark.lowerBound] + "." + name[mark.upperBound...]
  }
}
