// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// A number with its noun, such as "1 note" or "1,200 notes".
func counted(_ count: Int, _ one: Text, _ many: Text) -> Text {
  count == 1 ? "1 " + one : Text(grouped: count) + " " + many
}
