// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import LongboxPages

/// Longbox on the reader's own device: the archive and the reader's library in memory, and an answer for each request.
///
/// It neither reads nor stores anything. The host hands it what it has stored, and stores what a reply says has
/// changed before it passes that reply on. `docs/device.md` describes the messages.
struct Device {
  private var archive: Archive?
  private var replica: Replica?

  /// Does one thing.
  /// - Returns: nothing where it can't be done: the message is malformed, or what it needs is not open.
  mutating func perform(_ operation: Operation, _ message: [UInt8]) -> [UInt8]? {
    var reader = MessageReader(message)
    switch operation {
    case .open: return open(message)
    case .add: return add(message)
    case .begin: return begin(&reader)
    case .load: return load(message)
    case .save: return replica?.encoded()
    case .respond: return respond(&reader)
    case .request: return request(&reader)
    case .receive: return receive(&reader)
    case .facts: return facts
    case .pictures: return pictures(&reader)
    }
  }

  private mutating func open(_ segment: [UInt8]) -> [UInt8]? {
    do throws(ArchiveError) {
      archive = try Archive(Segment(segment))
      return []
    } catch {
      return nil
    }
  }

  private mutating func add(_ segment: [UInt8]) -> [UInt8]? {
    do throws(ArchiveError) {
      guard let opened = archive else { return nil }
      archive = try opened.adding(Segment(segment))
      return []
    } catch {
      return nil
    }
  }

  private mutating func begin(_ reader: inout MessageReader) -> [UInt8]? {
    guard let device = reader.word64() else { return nil }
    replica = Replica(device: device)
    return []
  }

  private mutating func load(_ bytes: [UInt8]) -> [UInt8]? {
    do throws(LibraryError) {
      replica = try Replica(decoding: bytes)
      return []
    } catch {
      return nil
    }
  }

  private mutating func respond(_ reader: inout MessageReader) -> [UInt8]? {
    guard let archive, var library = replica, let question = Question(&reader) else { return nil }
    var request = question.request
    // As on the server: nothing is noted of who has not changed anything yet.
    request.isRemembered = request.method == .post || !library.library.entries.isEmpty
    let before = library.library.sequence
    let response = LongboxPages.respond(
      to: request,
      archive: archive,
      library: &library,
      shelf: question.shelf
    )
    replica = library
    return Answer(response, isLibraryChanged: library.library.sequence != before).bytes
  }

  private mutating func request(_ reader: inout MessageReader) -> [UInt8]? {
    guard let nonce = reader.word64() else { return nil }
    return replica?.request(nonce: nonce).encoded()
  }

  private mutating func receive(_ reader: inout MessageReader) -> [UInt8]? {
    guard let now = reader.word64(), var library = replica else { return nil }
    do throws(LibraryError) {
      let before = library.library.digest
      let progress = try library.receive(SyncReply(decoding: Array(reader.rest)), at: now)
      replica = library
      return [progress.code, library.library.digest == before ? 0 : 1]
    } catch {
      return nil
    }
  }

  private var facts: [UInt8]? {
    guard let replica else { return nil }
    var writer = MessageWriter()
    writer.append32(archive?.revision ?? 0)
    writer.append32(archive?.segments.first?.revision ?? 0)
    writer.append32(archive?.rules ?? 0)
    writer.append32(archive?.count ?? 0)
    writer.append(archive?.isSampleBox == true)
    writer.append(replica.hasUnsentEdits)
    writer.append(replica.library.value(of: .keepComics))
    let favorites = replica.library.favorites
    writer.append32(favorites.count)
    for favorite in favorites { writer.append32(favorite.comic.value) }
    let albums = replica.library.savedAlbums
    writer.append32(albums.count)
    for album in albums {
      let address = Link.album(album.id, album.country).address
      writer.append32(address.count)
      writer.append(address.bytes)
    }
    return writer.bytes
  }

  private func pictures(_ reader: inout MessageReader) -> [UInt8]? {
    guard let archive, let replica, let choice = reader.byte() else { return nil }
    var writer = MessageWriter()
    PictureList(choice, archive: archive, library: replica.library)?.append(to: &writer)
    return writer.bytes
  }
}

extension SyncProgress {
  fileprivate var code: UInt8 {
    switch self {
    case .settled: 0
    case .again: 1
    case .ignored: 2
    case .diverged: 3
    }
  }
}
