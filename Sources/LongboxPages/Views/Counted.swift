// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore

/// A number with its noun, such as "1 note" or "1,200 notes".
func counted(_ count: Int, _ one: Text, _ many: Text) -> Text {
  count == 1 ? "1 " + one : Text(grouped: count) + " " + many
}

/// A number of favorites, such as "no favorites" or "1,200 favorites".
func counted(favorites count: Int) -> Text {
  switch count {
  case 0: "no favorites"
  case 1: "1 favorite"
  default: Text(grouped: count) + " favorites"
  }
}
