// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import Synchronization

/// The repository that readers see: the catalog's own once it has a comic, until then a stand-in.
final class ShownComics: Sendable {
  private struct StandIn: Sendable {
    var repository: ComicRepository?
    var changes = 0
  }

  private let own: ComicRepository
  private let standIn = Mutex(StandIn())

  init(own: ComicRepository) {
    self.own = own
  }

  /// The repository to read from.
  var repository: ComicRepository {
    own.current.archive.count == 0 ? standIn.withLock { $0.repository } ?? own : own
  }

  /// What readers see, with a generation that increases with each change of either repository.
  var current: PublishedComics {
    let standIn = standIn.withLock { $0 }
    // Read each once, or an old archive could be paired with a newer generation.
    let real = own.current
    let other = standIn.repository?.current
    var shown = real.archive.count == 0 ? other ?? real : real
    shown.generation = real.generation + (other?.generation ?? 0) + standIn.changes
    return shown
  }

  var generation: Int {
    let standIn = standIn.withLock { $0 }
    return own.publisher.generation + (standIn.repository?.publisher.generation ?? 0) + standIn.changes
  }

  /// Shows another repository until the own one has a comic.
  func show(standIn repository: ComicRepository) {
    standIn.withLock {
      $0.repository = repository
      $0.changes += 1
    }
  }

  /// Removes the stand-in and its store, if the own repository has a comic.
  func discardStandIn() async {
    guard own.current.archive.count > 0 else { return }
    let discarded = standIn.withLock { standIn in
      let repository = standIn.repository
      standIn.repository = nil
      // The generation must not decrease when the stand-in's part is removed.
      if let repository { standIn.changes += repository.publisher.generation + 1 }
      return repository
    }
    await discarded?.discard()
  }
}
