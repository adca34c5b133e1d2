// Longbox
// SPDX-License-Identifier: MIT

public import struct LongboxCore.PictureFacts

/// Inspects pictures one at a time, on a thread of its own.
///
/// A picture keeps a processor busy for 5 to 60 ms. On the cooperative pool that would delay pages, and
/// several at once would need more memory.
public actor PictureInspectionQueue {
  /// A picture's facts and thumbnail.
  public struct Inspection: Hashable, Sendable {
    /// What is known of the picture.
    public let facts: PictureFacts
    /// A small WebP file.
    public let thumbnail: [UInt8]
  }

  private let inspector: PictureInspector
  private let executor = SerialQueueExecutor(label: "longbox.pictures")

  /// Makes an empty queue.
  /// - Parameter inspector: sets the limits.
  public init(inspector: PictureInspector = PictureInspector()) {
    self.inspector = inspector
  }

  /// Runs the actor on its own thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Finds a picture's facts and makes its thumbnail.
  /// - Parameter bytes: the whole file.
  public func inspect(_ bytes: [UInt8]) throws(PictureError) -> Inspection {
    try Inspection(facts: inspector.facts(of: bytes), thumbnail: inspector.thumbnail(of: bytes))
  }
}
