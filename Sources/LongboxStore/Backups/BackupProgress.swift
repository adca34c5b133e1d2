// Longbox
// SPDX-License-Identifier: MIT

/// How much of a backup was read.
struct BackupProgress {
  private let total: Int
  private let report: (_ done: Int, _ total: Int) -> Void
  private var done = 0

  /// Begins with nothing.
  /// - Parameters:
  ///   - total: the number of bytes that will be read.
  ///   - report: is called with the bytes so far, and with the total.
  init(of total: Int, report: @escaping (_ done: Int, _ total: Int) -> Void) {
    self.total = total
    self.report = report
  }

  /// Notes that further bytes were read.
  /// - Throws: `CancellationError` if the task was cancelled.
  mutating func add(_ bytes: Int) throws {
    try Task.checkCancellation()
    done += bytes
    report(done, total)
  }
}
