// Longbox
// SPDX-License-Identifier: MIT

import LongboxCatalog
import LongboxCore
import LongboxPages

/// What became of fetching what a page lacks.
struct FetchedNeeds {
  /// The comics that can't be had.
  var unavailable: [Comic.Number] = []
  /// What is known of explanations.
  var explanations: [Shelf.ShelvedExplanation] = []
  /// What a search came to.
  var results: SearchResults?
  /// The oldest generation of what was searched or looked up.
  var generation = Int.max
}

extension PageRoutes {
  /// Fetches what a page lacks, and does the search that it asks for; explanations come from the disk, for a comic's page waits for no wiki.
  func fetch(_ needs: [Need], into fetched: inout FetchedNeeds) async {
    let isSampleBox = catalog.snapshot.archive.isSampleBox
    for need in needs {
      switch need {
      case .latest: continue
      case .search(let question):
        let snapshot = catalog.snapshot
        fetched.results = await catalog.results(for: question, in: snapshot)
        fetched.generation = min(fetched.generation, snapshot.generation)
      case .comic(let number), .picture(let number):
        do throws(CatalogError) {
          try await catalog.ensure(number, withPicture: true, within: patience)
        } catch {
          fetched.unavailable.append(number)
        }
      case .explanation(let number):
        // Taken before the explanation, so that a page of older things can't be kept as one of newer.
        fetched.generation = min(fetched.generation, catalog.generation)
        var state = ExplanationState.unknown
        do {
          state = try await catalog.explanation(of: number)
        } catch {
          // The disk fails just now: the page is of no generation, so that it is made anew for the next reader.
          fetched.generation = .min
        }
        let shown = ShownExplanation(of: number, .init(state), isSample: isSampleBox)
        fetched.explanations.append(.init(number, shown.beginning))
      }
    }
  }
}

extension Need {
  /// Whether it is the beginning of an explanation.
  var isExplanation: Bool {
    if case .explanation = self { true } else { false }
  }
}

extension ShownExplanation.State {
  /// What the catalog knows, as the pages take it.
  init(_ state: ExplanationState) {
    switch state {
    case .stored(let explanation): self = .here(ShownExplanation.Content(explanation))
    case .absent: self = .absent
    case .unknown: self = .unavailable
    }
  }
}

extension ShownExplanation.Content {
  /// An explanation as the pages take it.
  init(_ explanation: Explanation) {
    self.init(
      lead: explanation.lead,
      document: explanation.document,
      date: explanation.date,
      isIncomplete: explanation.isIncomplete,
      isCut: explanation.isCut
    )
  }
}
