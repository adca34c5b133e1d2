// Longbox
// SPDX-License-Identifier: MIT

extension Catalog {
  /// How many comics are stored.
  public struct FillProgress: Equatable, Sendable {
    /// The comics whose text is stored.
    public var texts: Int
    /// The comics whose picture is stored.
    public var pictures: Int
    /// The comics whose picture xkcd doesn't have.
    public var absentPictures = 0
    /// The comics whose explanation is stored.
    public var explanations = 0
    /// Failed downloads, to be tried again later.
    public var failures: Int
    /// All comics that exist.
    public var total: Int
  }
}
