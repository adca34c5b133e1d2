// Longbox
// SPDX-License-Identifier: MIT

/// What an address below `/api` asks for.
///
/// A further address is a case here, an answer in ``APIRoutes``, and a path in `Web/Public/openapi.json`.
enum APIRoute: Equatable {
  /// Comics by their words.
  case search
  /// What was added or changed.
  case comics
  /// One comic, by what stands where its number should.
  case comic(String)
  /// What explain xkcd says about a comic, by what stands where its number should.
  case explanation(String)
  /// The description of the API.
  case description
  /// Nothing that there is.
  case unknown

  /// Reads what stands in the address after `/api`.
  init(_ parts: ArraySlice<String>) {
    switch (parts.count, parts.first, parts.last) {
    case (1, "search", _): self = .search
    case (1, "comics", _): self = .comics
    case (1, "openapi.json", _): self = .description
    case (2, "comics", let number?): self = .comic(number)
    case (3, "comics", "explanation"): self = .explanation(parts[parts.startIndex + 1])
    default: self = .unknown
    }
  }
}
