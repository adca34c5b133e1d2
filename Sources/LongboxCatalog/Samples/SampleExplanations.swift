// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// The sample box's explanations, in the replies of explain xkcd's API.
struct SampleExplanations: Sendable {
  private struct Line: Decodable {
    var num: Int
    var explanation: String
  }

  private struct Body: Encodable {
    struct Slot: Encodable {
      var content: String
    }

    struct Revision: Encodable {
      var revid: Int
      var timestamp: String
      var slots: [String: Slot]
    }

    struct Page: Encodable {
      var title: String
      var missing: Bool?
      var revisions: [Revision]?
    }

    var query: [String: [Page]]
  }

  private let texts: [Int: String]

  /// Reads a file's lines; if there is no file, there are no explanations.
  init(file: URL) {
    let lines = (try? Data(contentsOf: file))?.split(separator: UInt8(ascii: "\n")) ?? []
    let decoder = JSONDecoder()
    let decoded = lines.compactMap { try? decoder.decode(Line.self, from: $0) }
    texts = Dictionary(decoded.map { ($0.num, $0.explanation) }) { first, _ in first }
  }

  /// The reply to a request for pages, by its `titles`.
  func reply(to target: String) -> [UInt8] {
    let titles = URLComponents(string: target)?.queryItems?.first { $0.name == "titles" }?.value ?? ""
    let pages = titles.split(separator: "|").map { title in
      guard let number = Int(title), let text = texts[number] else {
        return Body.Page(title: String(title), missing: true)
      }
      // The samples have no date, because they are never edited.
      let revision = Body.Revision(revid: 1, timestamp: "", slots: ["main": .init(content: text)])
      return Body.Page(title: String(title), revisions: [revision])
    }
    return (try? JSONEncoder().encode(Body(query: ["pages": pages]))).map { [UInt8]($0) } ?? []
  }
}
