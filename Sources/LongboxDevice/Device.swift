// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import LongboxPages

/// An operation that the host can request.
///
/// `Web/src/worker/device.js` and `docs/device.md` have the same numbers, which `WebContractTests` compares.
enum Operation: UInt8, CaseIterable {
  /// Opens a full archive. Message: the segment.
  case open = 1
  /// Adds a delta to the archive. Message: the segment.
  case add = 2
  /// Creates an empty library. Message: u64 the device's number, random.
  case begin = 3
  /// Loads the stored library. Message: the result of ``save``.
  case load = 4
  /// Returns the library for storage.
  case save = 5
  /// Responds to a request or form, or lists what to load first. Message: ``RespondMessage``; reply:
  /// ``RespondReply``.
  case respond = 6
  /// Creates the next sync request. Message: u64 nonce, random; reply: the request to send.
  case request = 7
  /// Applies a sync reply. Message: u64 now, the reply; reply: u8 progress, u8 whether anything changed.
  case receive = 8
  /// Returns facts for the host. Reply: see ``Device/facts``.
  case facts = 9
  /// Lists pictures. Message: u8 ``PictureSelection``; reply: see ``PictureList``.
  case pictures = 10
  /// Opens the index of explanations, for search. Message: the segment, full or a delta.
  case explanations = 11
  /// Chooses, of some comics, those in the archive that are marked as read. Message and reply: u32 each.
  case readAmong = 12
}

/// Longbox on the reader's device: keeps the archive and the library in memory and responds to requests.
///
/// It does no I/O. The host passes in stored data, and stores what a reply reports as changed before it
/// passes that reply on. `docs/device.md` describes the messages.
struct Device {
  /// Renders a response; tests replace it to count the calls.
  typealias Render = (Route, Request, Archive, inout Replica, Loaded, PageContext) -> Response

  private let render: Render
  private var archive: Archive?
  private var replica: Replica?
  private var explanations: ExplanationIndex?
  /// Created by the first search, and again for a new archive.
  private var search: Search?

  init(
    render: @escaping Render = {
      LongboxPages.render($0, in: $1, archive: $2, library: &$3, loaded: $4, context: $5)
    }
  ) {
    self.render = render
  }

  /// Performs an operation.
  /// - Returns: nil if the message is malformed, or if something that it needs is not open.
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
    case .explanations: return explain(message)
    case .readAmong: return readAmong(&reader)
    }
  }

  // The archive and the index of explanations

  private mutating func open(_ segment: [UInt8]) -> [UInt8]? {
    do throws(ArchiveError) {
      archive = try Archive(Segment(segment))
      search = nil
      return []
    } catch {
      return nil
    }
  }

  private mutating func add(_ segment: [UInt8]) -> [UInt8]? {
    do throws(ArchiveError) {
      guard let opened = archive else { return nil }
      archive = try opened.adding(Segment(segment))
      search = nil
      return []
    } catch {
      return nil
    }
  }

  private mutating func explain(_ segment: [UInt8]) -> [UInt8]? {
    do throws(ArchiveError) {
      let segment = try Segment(segment)
      if segment.base == 0 {
        explanations = try ExplanationIndex(segment)
      } else {
        guard let opened = explanations else { return nil }
        explanations = try opened.adding(segment)
      }
      search = nil
      return []
    } catch {
      return nil
    }
  }

  private func pictures(_ reader: inout MessageReader) -> [UInt8]? {
    guard let archive, let replica, let choice = reader.byte() else { return nil }
    var writer = MessageWriter()
    if let selection = PictureSelection(rawValue: choice) {
      PictureList(selection, archive: archive, library: replica.library).append(to: &writer)
    }
    return writer.bytes
  }

  // The library

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

  /// The reply to ``Operation/facts``: u32 revision, u32 revision of the full segment, u32 rules, u32 count
  /// of comics, u32 latest comic; u8 samples, u8 whether a sync is due, u8 keep comics; u32 count of
  /// favorites, u32 each; u32 count of saved albums, texts the addresses of their pages.
  private var facts: [UInt8]? {
    guard let replica else { return nil }
    var writer = MessageWriter()
    writer.append32(archive?.revision ?? 0)
    writer.append32(archive?.segments.first?.revision ?? 0)
    writer.append32(archive?.rules ?? 0)
    writer.append32(archive?.count ?? 0)
    writer.append32(archive?.latest?.number.value ?? 0)
    writer.append(archive?.isSampleBox == true)
    writer.append(replica.isDueForSync)
    writer.append(replica.library.value(of: .keepComics))
    let favorites = replica.library.favorites
    writer.append32(favorites.count)
    for favorite in favorites { writer.append32(favorite.comic.value) }
    let albums = replica.library.savedAlbums
    writer.append32(albums.count)
    for album in albums { writer.append(text: Link.album(album.id, album.country).address) }
    return writer.bytes
  }

  private func readAmong(_ reader: inout MessageReader) -> [UInt8]? {
    guard let archive, let marks = replica?.library.readMarks else { return nil }
    var writer = MessageWriter()
    while let value = reader.word32() {
      guard let number = Comic.Number(Int(truncatingIfNeeded: value)), archive.comic(number) != nil,
        marks.isRead(number)
      else { continue }
      writer.append32(number.value)
    }
    return writer.bytes
  }

  // Responses

  private mutating func respond(_ reader: inout MessageReader) -> [UInt8]? {
    guard let archive, var library = replica, let message = RespondMessage(&reader) else { return nil }
    var request = message.request
    // On a device every reader has a library. It is synced once there is something worth syncing.
    request.isRemembered = true
    request.recordsViews = false
    let route = Route(request, on: message.context.site)
    switch gather(route, request, message, archive, library.library) {
    case .lacking(let needs): return RespondReply.needs(needs).bytes
    case .loaded(let loaded):
      let before = library.library.sequence
      let response = render(route, request, archive, &library, loaded, message.context)
      replica = library
      return RespondReply.response(response, isLibraryChanged: library.library.sequence != before).bytes
    }
  }

  private enum Gathered {
    case loaded(Loaded)
    case lacking([Need])
  }

  /// Collects the data for the response, from the message or by a search.
  private mutating func gather(
    _ route: Route,
    _ request: Request,
    _ message: RespondMessage,
    _ archive: Archive,
    _ library: Library
  ) -> Gathered {
    var gathering = Gathering(for: route, in: request)
    while true {
      let needs = gathering.next(archive: archive, library: library, isOffline: message.context.isOffline)
      if needs.isEmpty { return .loaded(gathering.loaded) }
      var lacking: [Need] = []
      for need in needs {
        if case .search(let question) = need {
          switch results(for: question, message, archive) {
          case .results(let results): gathering.insert(.results(results), for: need)
          case .lacking(let texts): lacking += texts
          }
        } else if let value = message.value(of: need) {
          gathering.insert(value, for: need)
        } else {
          lacking.append(need)
        }
      }
      if !lacking.isEmpty { return .lacking(lacking) }
    }
  }

  private enum Found {
    case results(SearchResults)
    case lacking([Need])
  }

  /// Runs a search.
  ///
  /// The texts for snippets of explanations come from the host, since the index doesn't contain them.
  private mutating func results(for question: SearchQuestion, _ message: RespondMessage, _ archive: Archive)
    -> Found
  {
    let search = search ?? Search(archive: archive, explanations: explanations)
    self.search = search
    var lacking: [Need] = []
    let results = search.results(for: question) { number in
      let need = Need.explanationText(number)
      let value = message.value(of: need)
      // A phrase may be looked for more than once.
      if value == nil, !lacking.contains(need) { lacking.append(need) }
      return if case .text(let text)? = value { text } else { nil }
    }
    return lacking.isEmpty ? .results(results) : .lacking(lacking)
  }
}

extension SyncProgress {
  /// The number in the reply to ``Operation/receive``.
  var code: UInt8 {
    switch self {
    case .settled: 0
    case .again: 1
    case .ignored: 2
    case .diverged: 3
    }
  }
}

/// The pictures that a reader can download at once; the worker chooses those of a year from everything.
enum PictureSelection: UInt8, CaseIterable {
  /// The latest 50.
  case latest = 0
  case favorites = 1
  case everything = 2
}

/// The pictures of a selection, newest first; each u32 comic, u32 version, u32 size in bytes, u32 year.
///
/// Version 0 means that nothing is known about the picture yet, and year 0 that its date is unknown. Comics without a picture are omitted.
struct PictureList {
  private static let latest = 50

  private let archive: Archive
  private var comics: [Comic.Number] = []

  init(_ selection: PictureSelection, archive: Archive, library: Library) {
    self.archive = archive
    if selection == .favorites {
      comics = library.favorites.map { $0.comic }
      return
    }
    var next = archive.latest?.number
    while let number = next, selection == .everything || comics.count < Self.latest {
      if archive.comic(number) != nil { comics.append(number) }
      next = number.previous
    }
  }

  func append(to writer: inout MessageWriter) {
    for number in comics {
      guard let comic = archive.comic(number), !comic.pictureAddress.isEmpty else { continue }
      writer.append32(comic.number.value)
      writer.append32(Int(truncatingIfNeeded: comic.picture?.version ?? 0))
      writer.append32(comic.picture?.byteCount ?? 0)
      writer.append32(comic.date?.year ?? 0)
    }
  }
}
