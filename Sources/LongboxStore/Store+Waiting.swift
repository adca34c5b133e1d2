// Longbox
// SPDX-License-Identifier: MIT

extension Store {
  /// The pause between two tries to open a folder that another process has open.
  private static let pause = Duration.milliseconds(100)

  /// Opens a store as ``open(_:keeping:)`` does, and waits while another process has the folder open.
  ///
  /// Commands in a terminal have it open only briefly.
  /// - Parameters:
  ///   - location: the data folder and the database.
  ///   - limit: how long to wait at most.
  ///   - clock: measures the pauses.
  ///   - isWorthWaiting: called before each pause, with the error that names the other process.
  /// - Throws: as ``open(_:keeping:)``, and `cancelled`.
  public static func open(
    _ location: StoreLocation,
    within limit: Duration,
    clock: any Clock<Duration> = ContinuousClock(),
    while isWorthWaiting: (StoreError) -> Bool = { _ in true }
  ) async throws(StoreError) -> Store {
    var rest = limit
    while true {
      do throws(StoreError) {
        return try await open(location)
      } catch {
        guard case .inUse = error, rest > .zero, isWorthWaiting(error) else { throw error }
      }
      do { try await clock.sleep(for: pause) } catch { throw .cancelled }
      rest -= pause
    }
  }
}
