// Longbox
// SPDX-License-Identifier: MIT

/// The frame around every stored or sent encoding of a library.
///
///     0  magic  89 4C 42 4C  (detects transfers in text mode, as in PNG)
///     4  u8  format version
///     5  u8  kind
///     6  u16 zero
///     8  u32 length of the whole in bytes
///    12  the body
///   end  u64 XXH64 of all before it
///
/// All numbers are little-endian.
enum Envelope {
  enum Kind: UInt8 {
    case replica = 2
    case request = 3
    case reply = 4
    case undo = 5
  }

  static let magic: [UInt8] = [0x89, 0x4C, 0x42, 0x4C]
  static let version: UInt8 = 1
  static let headerLength = 12
  static let checksumLength = 8

  static func seal(_ body: [UInt8], as kind: Kind) -> [UInt8] {
    let length = headerLength + body.count + checksumLength
    var bytes: [UInt8] = []
    bytes.reserveCapacity(length)
    bytes.append(contentsOf: magic)
    bytes.append(version)
    bytes.append(kind.rawValue)
    bytes.append16(0)
    bytes.append32(UInt32(truncatingIfNeeded: length))
    bytes.append(contentsOf: body)
    bytes.append64(XXH64.hash(bytes.span.bytes))
    return bytes
  }

  static func open(_ bytes: [UInt8], as kind: Kind) throws(LibraryError) -> ByteReader {
    guard bytes.count <= LibraryLimits.encodedLength else { throw .full }
    let span = bytes.span.bytes
    guard bytes.count >= headerLength + checksumLength, bytes.starts(with: magic) else { throw .foreign }
    guard span.byte(at: 4) == version else { throw .unsupportedVersion(Int(span.byte(at: 4))) }
    guard let length = span.count32(at: 8) else { throw .malformed }
    guard length == bytes.count else { throw .wrongLength(expected: length, found: bytes.count) }
    let end = bytes.count - checksumLength
    guard XXH64.hash(span.extracting(0..<end)) == span.word64(at: end) else { throw .damaged }
    guard span.word16(at: 6) == 0 else { throw .malformed }
    guard span.byte(at: 5) == kind.rawValue else { throw .unexpectedKind(Int(span.byte(at: 5))) }
    return ByteReader(bytes[headerLength..<end])
  }
}
