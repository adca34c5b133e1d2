// Longbox
// SPDX-License-Identifier: MIT

@testable import LongboxCore
@testable import LongboxPages
@testable import LongboxServer

/// What a reader uploads.
enum UploadTarget {
  private static let now: UInt64 = 1_800_000_000_000

  /// The first line is the media type, the rest the body.
  static func multipart(_ input: [UInt8]) throws(Finding) {
    let line = input.prefix { $0 != UInt8(ascii: "\n") }
    let body = Array(input.dropFirst(line.count + 1))
    let boundary = MultipartForm.boundary(in: String(decoding: line, as: UTF8.self)) ?? "x"
    guard let form = try? MultipartForm(Text(body), boundary: boundary) else { return }
    for name in ["file", "text", ""] as [Text] {
      try Finding.check((form[name] ?? []).count <= body.count, "a part is longer than its form")
    }
    try document(form["text"] ?? form["file"] ?? [])
  }

  static func document(_ input: [UInt8]) throws(Finding) {
    guard let document = try? ImportReader.document(in: input) else { return }
    var replica = Replica(device: 1)
    guard (try? document.merge(into: &replica, latest: Comic.Number(3000), at: now)) != nil else { return }
    LibraryTarget.view(replica.library)
    // What we export can be imported, and is the same then.
    let exported = LibraryDocument(replica.library, exported: now).encoded
    var other = Replica(device: 2)
    do {
      _ = try ImportReader.document(in: exported).merge(into: &other, latest: nil, at: now)
    } catch {
      throw Finding(description: "an export can't be imported: \(error)")
    }
    let again = LibraryDocument(other.library, exported: now).encoded
    try Finding.check(again == exported, "an import changes an export")
  }
}
