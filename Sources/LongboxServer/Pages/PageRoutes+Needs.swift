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
}

extension PageRoutes {
  /// Fetches what a page lacks.
  func fetch(_ needs: [Need], into fetched: inout FetchedNeeds) async {
    for need in needs {
      switch need {
      case .latest, .search: continue
      case .comic(let number), .picture(let number):
        do throws(CatalogError) {
          try await catalog.ensure(number, withPicture: true, within: patience)
        } catch {
          fetched.unavailable.append(number)
        }
      case .lead(let number):
        let state = (try? await catalog.explanation(of: number)) ?? .unknown
        fetched.explanations.append(.init(number, .init(state, isWhole: false)))
      case .explanation(let number):
        fetched.explanations.append(.init(number, await explanation(of: number)))
      }
    }
  }

  private func explanation(of number: Comic.Number) async -> Shelf.ExplanationState {
    do throws(CatalogError) {
      let state = Shelf.ExplanationState(
        try await catalog.explanation(of: number, within: patience),
        isWhole: true
      )
      return state == .elsewhere ? .unavailable : state
    } catch {
      return .unavailable
    }
  }
}

extension Need {
  /// Whether it is an explanation, or the lead of one.
  var isExplanation: Bool {
    switch self {
    case .lead, .explanation: true
    case .latest, .comic, .picture, .search: false
    }
  }
}

extension Shelf.ExplanationState {
  /// What the catalog knows, as the pages take it.
  /// - Parameters:
  ///   - state: what is known.
  ///   - isWhole: whether the whole is rendered, or the lead will do.
  init(_ state: ExplanationState, isWhole: Bool) {
    switch state {
    case .stored(let explanation): self = .here(Shelf.Explanation(explanation, isWhole: isWhole))
    case .absent: self = .absent
    case .unknown: self = .elsewhere
    }
  }
}

extension Shelf.Explanation {
  /// An explanation as the pages take it.
  init(_ explanation: Explanation, isWhole: Bool) {
    self.init(
      lead: explanation.lead,
      html: isWhole ? explanation.document.html : HTML(),
      asOf: explanation.date?.spelled ?? .empty,
      isIncomplete: explanation.isIncomplete,
      isCut: explanation.isCut
    )
  }
}
