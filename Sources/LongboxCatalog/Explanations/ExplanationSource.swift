// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import LongboxStore

/// A stored explanation before parsing, because parsing all of them takes a minute.
public struct ExplanationSource: Sendable {
  private let stored: StoredExplanation?

  init(_ stored: StoredExplanation?) {
    self.stored = stored
  }

  /// The explanation, parsed.
  public var state: ExplanationState { ExplanationState(stored) }

  /// Everything that ``state`` depends on; equal contents give equal states.
  public var content: String {
    guard let stored else { return "" }
    let text = stored.text
    return [
      "\(stored.number.value)", "\(stored.change)", stored.outcome.rawValue, "\(text?.timestamp ?? "")",
      text.map { String(decoding: $0.wikitext, as: UTF8.self) } ?? "",
    ].joined(separator: "\u{0}")
  }
}
