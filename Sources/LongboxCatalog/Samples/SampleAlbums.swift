// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxUpstream

/// The sample box's artists and albums, in the replies of the iTunes Store and Wikipedia.
struct SampleAlbums: Sendable {
  /// Replies, or rows of replies, by question: `artist/NAME`, `albums/ID`, `tracks/ID`, `article/NAME`.
  private let lines: [(question: String, reply: String)]
  private let covers: URL

  /// Reads `albums.tsv` and finds `covers/`; if there is no such file, there are no albums.
  init(folder: URL) {
    let text = (try? String(contentsOf: folder.appending(path: "albums.tsv"), encoding: .utf8)) ?? ""
    lines = text.split(separator: "\n").compactMap { line in
      guard let tab = line.firstIndex(of: "\t") else { return nil }
      return (String(line[..<tab]), String(line[line.index(after: tab)...]))
    }
    covers = folder.appending(path: "covers")
  }

  /// The store's reply to a request; `*` as a name finds all artists.
  func store(_ target: String) -> [UInt8] {
    let fields = Self.fields(of: target)
    if let term = fields["term"] {
      let words = Self.folded(term).split(separator: " ")
      let rows = rows("artist/").filter { line in
        term == "*" || words.allSatisfy { Self.folded(line.name).contains($0) }
      }
      let list = rows.map(\.reply).joined(separator: ",")
      return Array("\n\n{\"resultCount\":\(rows.count),\"results\":[\(list)]}".utf8)
    }
    let kind = fields["entity"] == "song" ? "tracks" : "albums"
    let reply = lines.first { $0.question == "\(kind)/\(fields["id"] ?? "")" }?.reply
    return Array((reply ?? "{\"resultCount\":0,\"results\":[]}").utf8)
  }

  /// Wikipedia's reply to a search; the words in quotes are the page's name.
  func article(_ target: String) -> [UInt8] {
    let words =
      Self.fields(of: target)["gsrsearch"]?.split(separator: "\"", omittingEmptySubsequences: false) ?? []
    let name = words.count > 1 ? Self.folded(String(words[1])) : ""
    let found = rows("article/").first { Self.folded($0.name) == name }
    let query = found.map { ",\"query\":{\"pages\":[\($0.reply)]}" } ?? ""
    return Array("{\"batchcomplete\":true\(query)}".utf8)
  }

  /// A cover at `/samples/NAME/600x600bb.png`; the name is a single path component.
  func cover(_ target: String) -> [UInt8]? {
    let parts = target.split(separator: "/")
    guard parts.count == 3, parts[0] == "samples" else { return nil }
    let name = String(parts[1])
    guard name.utf8.allSatisfy({ (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "-") }) else { return nil }
    let file = parts[2].hasPrefix("600x") ? "\(name).png" : "\(name)_small.png"
    return (try? Data(contentsOf: covers.appending(path: file))).map { [UInt8]($0) }
  }

  private func rows(_ prefix: String) -> [(name: String, reply: String)] {
    lines.filter { $0.question.hasPrefix(prefix) }
      .map { (name: String($0.question.dropFirst(prefix.count)), reply: $0.reply) }
  }

  private static func folded(_ text: String) -> String {
    text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
  }

  private static func fields(of target: String) -> [String: String] {
    let items = URLComponents(string: target)?.queryItems ?? []
    return Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
  }
}
