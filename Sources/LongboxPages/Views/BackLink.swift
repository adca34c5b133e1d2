// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// The arrow at the start of the top bar, which leads to the page above.
struct BackLink: Equatable {
  let link: Link
  /// The accessible name, such as "Back to Settings".
  let name: Text

  static let settings = BackLink(link: .settings, name: "Back to Settings")
  static let favorites = BackLink(link: .favorites, name: "Back to your favorites")

  static let albums = BackLink(link: .artists(.empty, nil), name: "Back to Albums")

  var html: HTML { a(.class("button back"), .href(link), .label(name)) { Icon.previous.html(named: name) } }
}
