// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import LongboxStore
import LongboxUpstream

extension PictureInspector {
  /// Inspects a comic's picture to be stored.
  ///
  /// If no process can be started, the picture is stored without a thumbnail, and with the size in its header. Its facts
  /// count as those of older rules, so it is inspected later.
  /// - Throws: `PictureError`, but not `unavailable`.
  func fetchedPicture(_ bytes: [UInt8], of number: Comic.Number) async throws(PictureError) -> FetchedPicture
  {
    do throws(PictureError) {
      let inspection = try await inspect(bytes)
      return FetchedPicture(
        number: number,
        bytes: bytes,
        facts: inspection.facts,
        rulesVersion: Self.rulesVersion,
        thumbnail: inspection.thumbnail
      )
    } catch .unavailable {
      let facts = try PictureHeader.facts(of: bytes)
      return FetchedPicture(number: number, bytes: bytes, facts: facts, rulesVersion: 0, thumbnail: nil)
    }
  }

  /// The format of a picture, after a check that the file is whole; without the check if no process can be started.
  /// - Parameters:
  ///   - bytes: the whole file.
  ///   - source: where it comes from.
  ///   - pixelLimit: the most pixels; nil for the usual limit.
  func formatOfWhole(
    _ bytes: [UInt8],
    from source: Source,
    pixelLimit: Int? = nil
  ) async throws(UpstreamError) -> PictureFacts.Format {
    do throws(PictureError) {
      return try await formatOfWhole(bytes, pixelLimit: pixelLimit)
    } catch {
      throw UpstreamError(error, from: source)
    }
  }

  private func formatOfWhole(
    _ bytes: [UInt8],
    pixelLimit: Int?
  ) async throws(PictureError) -> PictureFacts.Format {
    do throws(PictureError) {
      return try await facts(of: bytes, pixelLimit: pixelLimit).format
    } catch .unavailable {
      return try PictureHeader.format(of: bytes)
    }
  }
}

extension UpstreamError {
  /// A source has sent something else than a picture.
  init(_ error: PictureError, from source: Source) {
    self = error == .cancelled ? .cancelled : .malformed(source, at: "picture: \(error)")
  }
}
