// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import LongboxCatalog
import LongboxCore
import LongboxPages
import LongboxReaders
import LongboxStore

/// The files of comics: explanations, pictures and pages.
extension StaticCopy {
  /// Parses the explanations of a pack, and writes them; nil if there are none.
  func put(
    _ pack: CopyPack,
    in folder: inout CopyFolder,
    _ pages: inout CopyPages
  ) throws -> CopyManifest.Pack? {
    var explanations: [Explanation] = []
    for comic in pack.comics {
      guard let state = pack.sources[comic.number]?.state else { continue }
      pages.show([comic.number: shown(state, of: comic.number)])
      if case .stored(let explanation) = state { explanations.append(explanation) }
    }
    guard let last = explanations.map(\.change).max() else { return nil }
    let bytes = try JSONEncoder.stable.encode(
      explanations.map {
        DeviceExplanation($0, isSample: catalog.archive.isSampleBox, below: settings.basePath)
      }
    )
    let file = try folder.put(named: "explanations/\(pack.name)-", ".json", [UInt8](bytes))
    return CopyManifest.Pack(file: file, change: last)
  }

  func shown(_ state: ExplanationState, of number: Comic.Number) -> ShownExplanation {
    ShownExplanation(of: number, .init(state), isSample: catalog.archive.isSampleBox)
  }

  /// Writes the pictures of a comic.
  /// - Returns: the number of pictures that aren't stored.
  func putPictures(of comic: ArchivedComic, in folder: inout CopyFolder, _ files: StaticFiles)
    async throws -> Int
  {
    guard settings.pictures != .none, let facts = comic.picture else { return 0 }
    let version = facts.versionText
    var wanted = [(PictureKind.thumbnail, files.thumbnail(of: comic.number, version: version))]
    if settings.pictures == .all {
      wanted.append((.standard, files.picture(of: comic.number, version: version, doubleSize: false)))
      if facts.doubleSize == .present {
        wanted.append((.doubleSize, files.picture(of: comic.number, version: version, doubleSize: true)))
      }
    }
    var missing = 0
    for (kind, path) in wanted {
      let path = String(path.description.dropFirst())
      if folder.keep(path) { continue }
      if let picture = try await catalog.picture(kind, of: comic.number) {
        try folder.put(path, picture.bytes)
      } else {
        missing += 1
      }
    }
    return missing
  }

  /// Writes the pages of changed comics and all other pages; new pages before the pages that link to them.
  func put(
    _ pages: CopyPages,
    of comics: [ArchivedComic],
    in folder: inout CopyFolder,
    progress: (_ done: Int) -> Void
  ) throws {
    let new = comics.filter { comic in !CopyPages.paths(of: comic.number).allSatisfy { folder.had($0) } }
    let old = comics.filter { comic in CopyPages.paths(of: comic.number).allSatisfy { folder.had($0) } }
    for (done, comic) in (new + old).enumerated() {
      try Task.checkCancellation()
      for (path, page) in pages.pages(of: comic.number) { try folder.put(path, page) }
      progress(done + 1)
    }
    let others = pages.others
    for (path, page) in others where !folder.had(path) { try folder.put(path, page) }
    for (path, page) in others where folder.had(path) { try folder.put(path, page) }
  }
}
