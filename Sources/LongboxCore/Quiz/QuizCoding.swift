// Longbox
// SPDX-License-Identifier: MIT

/// The frame around a quiz's encoded state.
///
///     0  51 5A  (QZ)
///     2  u8  format version
///     3  u8  kind
///     4  u64 digest of the titles
///    12  the body
///   end  u32 the lower half of the XXH64 of all before it
///
/// A state fits in a form field: about forty bytes, and at most three for each track.
enum QuizCoding {
  private static let magic: [UInt8] = [0x51, 0x5A]
  private static let version: UInt8 = 1
  private static let headerLength = 12
  private static let checksumLength = 4
  private static let longest = 4096

  static func seal(_ body: [UInt8], _ kind: QuizKind, digest: UInt64) -> [UInt8] {
    var bytes = magic + [version, kind.rawValue]
    bytes.append64(digest)
    bytes.append(contentsOf: body)
    bytes.append32(UInt32(truncatingIfNeeded: XXH64.hash(bytes.span.bytes)))
    return bytes
  }

  /// Validates the frame and returns a reader of the body.
  static func open(_ bytes: [UInt8], _ kind: QuizKind, digest: UInt64) throws(QuizError) -> ByteReader {
    guard bytes.count >= 4, bytes.starts(with: magic) else { throw .foreign }
    guard bytes[2] == version else { throw .unsupportedVersion(Int(bytes[2])) }
    let end = bytes.count - checksumLength
    guard bytes.count <= longest, end >= headerLength else { throw .damaged }
    var sum: [UInt8] = []
    sum.append32(UInt32(truncatingIfNeeded: XXH64.hash(bytes.span.bytes.extracting(0..<end))))
    guard sum == Array(bytes[end...]) else { throw .damaged }
    guard bytes[3] == kind.rawValue else { throw .unexpectedKind(Int(bytes[3])) }
    guard bytes.span.bytes.word64(at: 4) == digest else { throw .otherTracks }
    return ByteReader(bytes[headerLength..<end])
  }

  /// The kind of a state, read before validation.
  static func kind(of bytes: [UInt8]) -> QuizKind? {
    guard bytes.count > 3, bytes.starts(with: magic) else { return nil }
    return QuizKind(rawValue: bytes[3])
  }
}

extension QuizKind {
  /// The kind of quiz in a state's header, or nil.
  public init?(ofState bytes: [UInt8]) {
    guard let kind = QuizCoding.kind(of: bytes) else { return nil }
    self = kind
  }
}
