// Longbox
// SPDX-License-Identifier: MIT

/// Why the set-up has no effect; the description is a sentence.
struct SetupError: Error, CustomStringConvertible {
  let description: String
}
