// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import Synchronization

/// The recorded wikitext of explain xkcd's pages about comics.
///
/// The file is read on first use, so that runs without explanations start at once.
final class ExplainRecording: Sendable {
  struct Page: Decodable, Sendable {
    let num: Int
    let title: String
    let wikitext: String
  }

  private let file: URL
  private let pages = Mutex<[Int: Page]?>(nil)

  /// Names the file; if it is missing, no page is recorded.
  init(folder: URL) {
    file = folder.appending(path: "pages.jsonl")
  }

  func page(about number: Int) -> Page? {
    pages.withLock { pages in
      let known = pages ?? Self.read(file)
      pages = known
      return known[number]
    }
  }

  private static func read(_ file: URL) -> [Int: Page] {
    guard let data = try? Data(contentsOf: file) else { return [:] }
    let decoder = JSONDecoder()
    let lines = data.split(separator: 0x0A).compactMap { try? decoder.decode(Page.self, from: $0) }
    return Dictionary(lines.map { ($0.num, $0) }) { $1 }
  }
}
