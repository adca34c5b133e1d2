// Longbox
// SPDX-License-Identifier: MIT

public import struct LongboxCore.PictureFacts

/// Looks into pictures one at a time, on a thread of its own.
///
/// A picture keeps a processor busy for 5 to 60 ms. On the cooperative pool that would hold up pages; several at once
/// would need the memory of several.
public actor PictureWorkshop {
  /// What was found in a picture, and the thumbnail that was made of it.
  public struct Work: Hashable, Sendable {
    /// What is known of the picture.
    public let facts: PictureFacts
    /// A small WebP file.
    public let thumbnail: [UInt8]
  }

  private let inspector: PictureInspector
  private let executor = SerialQueueExecutor(label: "longbox.pictures")

  /// Opens a workshop.
  /// - Parameter inspector: its limits are the workshop's.
  public init(inspector: PictureInspector = PictureInspector()) {
    self.inspector = inspector
  }

  /// Runs the actor's work on its own thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Finds out what a page needs to know of a picture, and makes its thumbnail.
  /// - Parameter bytes: the whole file.
  public func inspect(_ bytes: [UInt8]) throws(PictureError) -> Work {
    try Work(facts: inspector.facts(of: bytes), thumbnail: inspector.thumbnail(of: bytes))
  }
}
