// Longbox
// SPDX-License-Identifier: MIT

import Foundation
import GRDB
import LongboxCore
import Testing
import TestSupport

@testable import LongboxStore

@Suite("Errors of the store") struct StoreErrorTests {
  private static let place = StorePlace(folder: URL(filePath: "/srv/longbox"))

  @Test(arguments: [
    (ResultCode.SQLITE_CORRUPT, StoreError.damaged(file: "/srv/longbox/longbox.sqlite", reason: "why")),
    (.SQLITE_CORRUPT_VTAB, .damaged(file: "/srv/longbox/longbox.sqlite", reason: "why")),
    (.SQLITE_NOTADB, .damaged(file: "/srv/longbox/longbox.sqlite", reason: "why")),
    (.SQLITE_FULL, .diskFull(folder: "/srv/longbox")),
    (.SQLITE_CANTOPEN, .unusable(path: "/srv/longbox/longbox.sqlite", reason: "why")),
    (.SQLITE_READONLY, .unusable(path: "/srv/longbox/longbox.sqlite", reason: "why")),
    (.SQLITE_IOERR_WRITE, .unusable(path: "/srv/longbox/longbox.sqlite", reason: "why")),
    (.SQLITE_INTERRUPT, .cancelled),
    (.SQLITE_BUSY, .locked(file: "/srv/longbox/longbox.sqlite")),
    (.SQLITE_CONSTRAINT, .failed(file: "/srv/longbox/longbox.sqlite", reason: "why")),
  ])
  func `map SQLite's codes to causes`(code: ResultCode, expected: StoreError) {
    let error = DatabaseError(resultCode: code, message: "why")
    #expect(StoreError(error, in: Self.place) == expected)
  }

  @Test(arguments: [
    (ENOSPC, StoreError.diskFull(folder: "/srv/longbox")),
    (EDQUOT, .diskFull(folder: "/srv/longbox")),
    (EROFS, .unusable(path: "/missing/f", reason: "Read-only file system")),
    (EACCES, .unusable(path: "/missing/f", reason: "Permission denied")),
  ])
  func `map the system's error numbers to causes`(number: Int32, expected: StoreError) {
    #expect(StoreError(FileError(path: "/missing/f", number: number), in: Self.place) == expected)
  }

  @Test(.enabled(if: geteuid() != 0, "root may write anywhere"))
  func `say whose a folder is that can't be written`() throws {
    let folder = TemporaryFolder()
    try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.url.path)
    defer {
      try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.url.path)
    }
    let error = #expect(throws: StoreError.self) { try Store.open(folder.url) }
    let text = try #require(error).description
    #expect(text.contains("(uid \(geteuid())), but has the mode 500: chmod u+rwx \(folder.url.path)"))
    let missing = #expect(throws: StoreError.self) { try Store.open(URL(filePath: "/longbox-test")) }
    let advice = try #require(missing).description
    #expect(advice.contains("/ belongs to root (uid 0), and this process runs as"))
    #expect(advice.hasSuffix("sudo install --directory --owner \(geteuid()) --mode 700 /longbox-test"))
  }

  @Test(
    arguments: [
      (0x6969, "NFS"), (0x517B, "SMB"), (0xFF53_4D42, "SMB"), (0xFE53_4D42, "SMB"), (0x6573_5546, "FUSE"),
      (0x0102_1997, "9P"),
      // ext4, tmpfs, btrfs, XFS, overlayfs, ZFS, and unknown.
      (0xEF53, nil), (0x0102_1994, nil), (0x9123_683E, nil), (0x5846_5342, nil), (0x794C_7630, nil),
      (0x2FC1_2FC1, nil), (0, nil),
    ] as [(UInt32, String?)]
  )
  func `know file systems of networks`(kind: UInt32, name: String?) {
    #expect(FilePlace.remoteFileSystem(of: kind) == name)
  }

  @Test func `report writing to a full disk`() throws {
    #expect(FileError(path: "/f", number: ENOSPC).isDiskFull)
    #expect(!FileError(path: "/f", number: EIO).isDiskFull)
  }

  @Test func `report a cancelled task`() async throws {
    let folder = TemporaryFolder()
    let store = try Store.open(folder.url)
    let records = [try record(1)]
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await store.comics.save(records)
    }
    await #expect(throws: StoreError.cancelled) { try await task.value }
    #expect(try await store.comics.count() == 0)
  }

  @Test(arguments: [
    StoreError.nothingStored(folder: "/srv/longbox"), .inUse(folder: "/srv/longbox"),
    .inUse(folder: "/srv/longbox", by: "longbox serve (process 7)"),
    .damaged(file: "/srv/longbox", reason: "why"), .newerVersion(file: "/srv/longbox"),
    .olderVersion(file: "/srv/longbox"), .unusable(path: "/srv/longbox", reason: "why"),
    .diskFull(folder: "/srv/longbox"), .openedForReading(folder: "/srv/longbox"),
    .failed(file: "/srv/longbox", reason: "why"), .unreachable(database: "/srv/longbox", reason: "why"),
    .incompleteCopy(database: "/srv/longbox"), .notEmpty(place: "/srv/longbox"),
    .missingLibrary(reason: "/srv/longbox is missing"), .copyDiffers(table: "/srv/longbox"),
  ])
  func `are sentences that name the place`(error: StoreError) {
    let text = error.description
    #expect(text.contains("/srv/longbox"))
    #expect(text.hasSuffix("."))
    #expect(!text.contains("Optional"))
    #expect(text.first?.isUppercase == true)
  }
}
