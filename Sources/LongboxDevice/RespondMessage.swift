// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import LongboxPages

/// A reader's request, with what the host has loaded for the response.
///
///     u8  flags: bit 0 a form, bit 1 no connection, bit 2 fetched in advance, bit 3 a static copy, bits 4 and 5 its
///         pictures (0 all, 1 thumbnails, 2 none)
///     u64 a random number, u64 now in milliseconds since 1970-01-01 UTC
///     seven texts: path, query, form, version of the files, version of the program, base path, what shared links start
///         with; each u32 length, bytes
///     u32 number of loaded needs, each u8 kind, text key, u8 state, text value; see `Need+Coding.swift`
struct RespondMessage {
  let request: Request
  let context: PageContext
  private var loaded: [LoadedNeed] = []

  /// What the host has loaded for a need, still encoded.
  private struct LoadedNeed {
    let kind: UInt8
    let key: Text
    let state: UInt8
    let value: Text
  }

  init?(_ reader: inout MessageReader) {
    guard
      let flags = reader.byte(), let random = reader.word64(), let now = reader.word64(),
      let texts = reader.texts(7),
      let count = reader.word32()
    else { return nil }
    request = Request(
      method: flags & 1 == 0 ? .get : .post,
      path: texts[0],
      query: texts[1],
      body: texts[2],
      random: random,
      now: now,
      isPrefetch: flags & 4 != 0
    )
    var context = PageContext(assetVersion: texts[3], version: texts[4], isOffline: flags & 2 != 0)
    context.isDevice = true
    context.basePath = texts[5]
    context.shared = texts[6]
    context.site = Site(
      isStaticCopy: flags & 8 != 0,
      pictures: Site.Pictures(rawValue: flags >> 4 & 3) ?? .all
    )
    self.context = context
    for _ in 0..<count {
      guard let kind = reader.byte(), let key = reader.text(), let state = reader.byte(),
        let value = reader.text()
      else { return nil }
      loaded.append(LoadedNeed(kind: kind, key: key, state: state, value: value))
    }
  }

  /// The value that the host loaded for a need; nil if it hasn't tried.
  func value(of need: Need) -> Loaded.Value? {
    let (kind, key) = (need.kind, need.key)
    return loaded.first { $0.kind == kind && $0.key == key }
      .map { Loaded.Value(state: $0.state, value: $0.value, of: need) }
  }
}
