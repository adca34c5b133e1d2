// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// A page below the settings, which has groups, too.
protocol SettingsSubpage: Page {
  /// The groups.
  @HTMLBuilder var groups: HTML { get }
}

extension SettingsSubpage {
  var kind: Text { "settings-page" }
  var tab: Tab? { .settings }
  var back: BackLink? { .settings }
  var showsComics: Bool { false }
  var content: HTML { SettingsRows.page { groups } }
}
