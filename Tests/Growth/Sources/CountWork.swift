// Longbox
// SPDX-License-Identifier: MIT

import CCallgrind

/// Does work on inputs of four sizes, and has Callgrind count its instructions; `Tests/Growth` runs it.
///
/// It prints the name of each case, in the order of the numbers in Callgrind's files.
@main
enum CountWork {
  /// The sizes, as multiples of the smallest.
  static let sizes = [1, 2, 4]

  static func main() throws {
    let cases = [wikitextCases, searchCases, longQueryCases, guessCases, titleCases, importCases].joined()
    for (index, workload) in cases.enumerated() {
      print(workload.name)
      // What is made once, such as tables, doesn't count.
      try workload.prepare(1)()
      for size in sizes {
        let work = try workload.prepare(size)
        callgrind_toggle_collect()
        work()
        callgrind_toggle_collect()
        callgrind_dump("\(index) \(size)")
      }
    }
  }
}

/// A kind of work whose cost should be in proportion to the size of its input.
struct Workload: Sendable {
  let name: String
  /// Makes an input of a size, and returns the work on it.
  let prepare: @Sendable (_ size: Int) throws -> () -> Void
}
