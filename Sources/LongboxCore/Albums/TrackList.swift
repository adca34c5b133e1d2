// Longbox
// SPDX-License-Identifier: MIT

public struct Track: Equatable, Sendable {
  /// The store's number of the track.
  public var id: StoreID
  /// The disc number, from 1.
  public var disc: Int
  /// The track number on the disc, from 1.
  public var number: Int
  public var title: Text
  /// The duration in milliseconds; 0 if unknown.
  public var milliseconds: Int
  /// The performer if different from the album's artist, else empty.
  public var artist: Text

  public init(
    id: StoreID,
    disc: Int = 1,
    number: Int,
    title: Text,
    milliseconds: Int = 0,
    artist: Text = .empty
  ) {
    self.id = id
    self.disc = disc
    self.number = number
    self.title = title
    self.milliseconds = milliseconds
    self.artist = artist
  }
}

/// An album's tracks in order, disc by disc, with gaps for missing tracks.
public struct TrackList: Equatable, Sendable {
  /// A position on a disc.
  public enum Position: Equatable, Sendable {
    case track(Track)
    /// A track that the store counts but doesn't list, because it isn't sold in the country.
    case gap(number: Int)
  }

  public struct Disc: Equatable, Sendable {
    /// The disc number, from 1.
    public var number: Int
    /// The tracks and gaps in order.
    public var positions: [Position]
  }

  /// Upper bounds for plausible data; the longest known box set has 240 tracks.
  private static let most = (discs: 100, tracks: 999)

  public let discs: [Disc]
  public let tracks: [Track]

  /// Orders tracks and finds the gaps between them.
  /// - Parameters:
  ///   - tracks: the tracks in any order; of two at one position the first counts.
  ///   - counts: the store's track count of each disc; may lack discs. A disc without any listed track is left out,
  ///     even if counted.
  ///   - taken: positions that hold something other than a song, such as a video.
  public init(
    _ tracks: [Track],
    counts: [(disc: Int, tracks: Int)] = [],
    taken: [(disc: Int, number: Int)] = []
  ) {
    let known = tracks.filter {
      (1...Self.most.discs).contains($0.disc) && (1...Self.most.tracks).contains($0.number)
    }
    let indices = sortedIndices(known.count) { left, right in
      let (left, right) = (known[left], known[right])
      return left.disc == right.disc ? left.number < right.number : left.disc < right.disc
    }
    var discs: [Disc] = []
    var ordered: [Track] = []
    for index in indices {
      let track = known[index]
      if let last = ordered.last, last.disc == track.disc, last.number == track.number { continue }
      if discs.last?.number != track.disc { discs.append(Disc(number: track.disc, positions: [])) }
      let before = ordered.last.map { $0.disc == track.disc ? $0.number : 0 } ?? 0
      Self.fill(from: before + 1, to: track.number, taken, &discs[discs.count - 1])
      discs[discs.count - 1].positions.append(.track(track))
      ordered.append(track)
    }
    for index in 0..<discs.count {
      let disc = discs[index].number
      guard let count = counts.first(where: { $0.disc == disc })?.tracks, count <= Self.most.tracks,
        let last = ordered.last(where: { $0.disc == disc })?.number
      else { continue }
      Self.fill(from: last + 1, to: count + 1, taken, &discs[index])
    }
    self.discs = discs
    self.tracks = ordered
  }

  /// The total duration in milliseconds.
  public var milliseconds: Int {
    var sum = 0
    for track in tracks { sum += track.milliseconds }
    return sum
  }

  public var gapCount: Int {
    var count = 0
    for disc in discs {
      for case .gap in disc.positions { count += 1 }
    }
    return count
  }

  private static func fill(
    from first: Int,
    to end: Int,
    _ taken: [(disc: Int, number: Int)],
    _ disc: inout Disc
  ) {
    guard first < end else { return }
    for number in first..<end {
      let isTaken = taken.contains { $0.disc == disc.number && $0.number == number }
      if !isTaken { disc.positions.append(.gap(number: number)) }
    }
  }
}
