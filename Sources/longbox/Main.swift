// Longbox
// SPDX-License-Identifier: MIT

@main
struct Main {
  static func main() {}
}
