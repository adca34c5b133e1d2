// Longbox
// SPDX-License-Identifier: MIT

struct WikiPages {
  /// The most redirects for one page; the wiki itself follows one.
  private static let redirectLimit = 4

  /// Whether the wiki has sent everything.
  var isComplete = false
  private var normalized: [String: String] = [:]
  private var redirects: [String: String] = [:]
  private var pages: [String: WikiReply.Page] = [:]

  mutating func add(_ reply: WikiReply) {
    normalized.merge(reply.normalized) { $1 }
    redirects.merge(reply.redirects) { $1 }
    // The first text is the newest; a continuation may bring older revisions.
    for page in reply.pages where pages[page.title]?.wikitext == nil { pages[page.title] = page }
  }

  /// The page about a comic, or why there is none; nil if the wiki has not sent it yet.
  func page(about number: Int) -> ExplainLookup? {
    var title = "\(number)"
    title = normalized[title] ?? title
    var steps = 0
    while let target = redirects[title] {
      title = target
      steps += 1
      guard steps <= Self.redirectLimit else { return .missing }
    }
    guard let page = pages[title] else { return isComplete ? .missing : nil }
    // A number may lead to a page about something else, which is not the comic's explanation.
    guard !page.isMissing, page.title == "\(number)" || page.title.hasPrefix("\(number):") else {
      return .missing
    }
    guard let wikitext = page.wikitext else { return isComplete ? .missing : nil }
    return .page(
      ExplainPage(
        title: page.title,
        revision: page.revision ?? 0,
        timestamp: page.timestamp,
        wikitext: wikitext
      )
    )
  }
}
