// Longbox
// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird

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
      return Int(parts[0]).map { api($0, headers: request.headers) } ?? Self.notFound
    default: return Self.notFound
    }
  }

  /// The 404 of xkcd's nginx, which is HTML even for JSON requests.
  private static var notFound: Response { .html(status: .notFound, "404 Not Found") }

  private func api(_ number: Int, headers: HTTPFields) -> Response {
    guard let record = recording.published(number) else { return Self.notFound }
    return StoredFile(bytes: record.json, mediaType: "application/json", lastModified: record.lastModified)
      .response(to: headers)
  }

  /// The page of a larger version, `/980/huge/` or `/850_large/`, with the picture `money_huge.png`.
  private func largerVersion(_ parts: [Substring]) -> Response {
    guard parts.count == 2, let number = Int(parts[0]), let record = recording.published(number),
      let name = XkcdPicturesSource.largerName(of: record.pictureName, size: String(parts[1]))
    else { return Self.notFound }
    let picture = "<a href=\"/\(number)/\"><img src=\"https://imgs.xkcd.com/comics/\(name)\"></a>"
    return .html(status: .ok, "xkcd \(number), larger, replayed", content: picture)
  }

  private func page(of number: Int) -> Response {
    guard recording.published(number) != nil else { return Self.notFound }
    return .html(status: .ok, "xkcd \(number), replayed")
  }
}
