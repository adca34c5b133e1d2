// Longbox
// SPDX-License-Identifier: MIT

/// Counts the bytes of a backup that were read.
struct BackupProgress {
  private let total: Int
  private let report: (_ done: Int, _ total: Int) -> Void
  private var done = 0

  /// Creates a counter at 0.
  /// - Parameters:
  ///   - total: the number of bytes that will be read.
  ///   - report: called with the bytes so far, and the total.
  init(of total: Int, report: @escaping (_ done: Int, _ total: Int) -> Void) {
    self.total = total
    self.report = report
  }

  /// Adds bytes, and reports them.
  /// - Throws: `CancellationError` if the task was cancelled.
  mutating func add(_ bytes: Int) throws {
    try Task.checkCancellation()
    done += bytes
    report(done, total)
  }
}
