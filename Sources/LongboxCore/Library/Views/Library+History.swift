// Longbox
// SPDX-License-Identifier: MIT

/// The comics viewed last: the register `local/history`, its value varint numbers, the latest first.
///
/// What a reader opened is kept on the device where they opened it, and isn't synced.
extension Library {
  /// The maximum number of comics in the history; their numbers fit a register.
  static var historyLength: Int { 100 }

  private static var historyKey: LibraryKey { LibraryKey(known: "local/history") }

  /// The comics viewed on this device, the latest first, each once.
  public var history: [Comic.Number] {
    var comics: [Comic.Number] = []
    guard let value = value(Self.historyKey) else { return comics }
    var reader = ByteReader(value.bytes)
    do throws(LibraryError) {
      while !reader.isAtEnd, comics.count < Self.historyLength {
        let comic = Comic.Number(try reader.count(atMost: Comic.Number.greatestValue))
        if let comic { comics.append(comic) }
      }
    } catch {
      // What can be read before the damage is shown.
    }
    return comics
  }

  /// Puts a viewed comic first in the history; writes nothing if it is first already.
  /// - Throws: `LibraryError.full`.
  public mutating func noteInHistory(_ comic: Comic.Number, at editTime: EditTime) throws(LibraryError) {
    let before = history
    guard before.first != comic else { return }
    var bytes: [UInt8] = []
    bytes.appendCount(comic.value)
    for other in before.filter({ $0 != comic }).prefix(Self.historyLength - 1) {
      bytes.appendCount(other.value)
    }
    try set(Self.historyKey, to: Text(bytes), timestamp: editTime.timestamp)
  }

  /// Forgets which comics were viewed; read marks stay.
  @discardableResult
  public mutating func clearHistory(at editTime: EditTime) throws(LibraryError) -> Undo {
    try set(Self.historyKey, to: nil, timestamp: editTime.timestamp)
  }
}
