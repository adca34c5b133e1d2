// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// The style sheet of lists, search and albums.
///
/// It is in the body, so that comic pages carry no code for it in the shared head.
enum LibraryStyle {
  static var html: HTML { link(Attribute("rel", "stylesheet"), .href(.local("/assets/library.css"))) }
}
