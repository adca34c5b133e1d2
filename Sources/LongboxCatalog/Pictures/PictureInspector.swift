// Longbox
// SPDX-License-Identifier: MIT

import CPictureMessages
import Dispatch
public import Foundation
public import Logging
public import LongboxCore
import LongboxStore
import LongboxUpstream

/// Inspects pictures, in a process of its own: `longbox-pictures`, the only program of ours that loads libvips.
///
/// Pictures come from the network. One that crashes or blocks libvips ends only that process, and throws a `PictureError`;
/// the next picture gets a new process. The process starts with the first picture, and ends when there are no more.
///
/// It takes 5 to 60 ms a picture. Pictures take turns: several at once would need more memory.
public actor PictureInspector {
  /// The version of the rules that find facts.
  ///
  /// Raise it when the rules find other facts in the same bytes; stored pictures are then inspected again.
  public static let rulesVersion = 1

  /// A pixel counts as coloured if the greatest and the least of its red, green and blue differ by this much.
  ///
  /// Noise of JPEG files stays below it. Raising it from 16 to 32 changed no recorded PNG file, and made 54 JPEG files
  /// grey instead of 42. A higher value would lose pastel colours.
  static let colourDistance: UInt32 = 32
  /// The greatest width of a thumbnail in pixels.
  static let thumbnailWidth: UInt32 = 320
  /// The greatest height of a thumbnail in pixels; a taller picture is cropped to its top.
  static let thumbnailHeight: UInt32 = 480

  /// Limits on pictures and the process.
  public struct Limits: Sendable {
    /// The largest accepted file, in bytes; the median of xkcd's pictures is 41 kB.
    public var bytes = 32 << 20
    /// The most pixels of one frame.
    ///
    /// The largest comic (1732) has 11 million, and would have 44 at twice the size.
    public var pixels = 50_000_000
    /// How long a picture may take.
    public var time = Duration.seconds(10)
    /// How long the process may take to start; it takes 30 ms.
    public var startTime = Duration.seconds(30)
    /// How long the process waits for the next picture.
    public var idleTime = Duration.seconds(10)
    /// How many pictures a process decodes, to bound memory leaks of libraries.
    public var picturesPerProcess = 256

    public init() {}
  }

  /// What was found in a picture.
  public struct Inspection: Hashable, Sendable {
    /// What is known of the picture.
    public let facts: PictureFacts
    /// A small WebP file.
    public let thumbnail: [UInt8]
  }

  private let program: URL
  private let environment: [String: String]
  private let limits: Limits
  private let clock: any Clock<Duration>
  private let logger: Logger
  private let executor = SerialQueueExecutor(label: "longbox.pictures")
  private var process: PictureProcess?
  /// How many pictures the process has decoded.
  private var count = 0
  private var idleEnd: Task<Void, Never>?
  private var hasLoggedStart = false
  private var hasLoggedFailure = false

  /// Makes an inspector; no process is started yet.
  /// - Parameters:
  ///   - program: the executable; by default `longbox-pictures` beside this program's own.
  ///   - environment: what the process learns of the terminal for which it draws.
  ///   - limits: limits on pictures and the process.
  ///   - clock: measures how long the process is idle.
  ///   - logger: logs once if the process can't be started.
  public init(
    program: URL = Bundle.main.bundleURL.appending(path: "longbox-pictures"),
    environment: [String: String] = [:],
    limits: Limits = Limits(),
    clock: any Clock<Duration> = ContinuousClock(),
    logger: Logger = Logger(label: "longbox")
  ) {
    self.program = program
    self.environment = environment
    self.limits = limits
    self.clock = clock
    self.logger = logger
  }

  deinit { idleEnd?.cancel() }

  /// Runs the actor on its own thread: it waits for the process, which would block the cooperative pool.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// The identifier of the running process; nil while none runs.
  var processIdentifier: Int32? { process?.identifier }

  /// Finds a picture's facts and makes its thumbnail.
  ///
  /// Colour, lightness and transparency are those of an animation's first frame. `doubleSize` stays unknown,
  /// because the bytes don't say it. The thumbnail is a WebP file at most 320 pixels wide and 480 high, upright, with
  /// white for transparency. It is never enlarged. A picture more than one and a half times as high as wide is cropped
  /// to its top. An animation gives its first frame.
  /// - Parameter bytes: the whole file.
  public func inspect(_ bytes: [UInt8]) async throws(PictureError) -> Inspection {
    let (facts, thumbnail) = try await decode(bytes, withThumbnail: true, pixelLimit: limits.pixels)
    return Inspection(facts: facts, thumbnail: thumbnail)
  }

  /// Finds a picture's facts, which shows that the file is whole.
  /// - Parameters:
  ///   - bytes: the whole file.
  ///   - pixelLimit: the most pixels; nil for the usual limit.
  public func facts(of bytes: [UInt8], pixelLimit: Int? = nil) async throws(PictureError) -> PictureFacts {
    try await decode(bytes, withThumbnail: false, pixelLimit: pixelLimit ?? limits.pixels).facts
  }

  /// Draws a picture, or an animation's first frame, for a terminal.
  /// - Parameters:
  ///   - bytes: the whole file.
  ///   - terminal: the area, and how to draw.
  /// - Returns: what to send to the terminal; it has escape sequences.
  public func draw(
    _ bytes: [UInt8],
    for terminal: TerminalArea
  ) async throws(PictureError) -> [UInt8] {
    guard bytes.count <= limits.bytes else { throw .tooManyBytes(count: bytes.count, limit: limits.bytes) }
    _ = try PictureHeader.format(of: bytes)
    let request = longbox_picture_request(
      length: UInt64(bytes.count),
      pixel_limit: UInt64(limits.pixels),
      colour_distance: Self.colourDistance,
      thumbnail_width: 0,
      thumbnail_height: 0,
      operation: UInt32(LONGBOX_PICTURE_DRAW),
      columns: TerminalArea.bounded(terminal.columns, to: 1000),
      rows: TerminalArea.bounded(terminal.rows, to: 1000),
      cell_width: TerminalArea.bounded(terminal.cellWidth, to: 64),
      cell_height: TerminalArea.bounded(terminal.cellHeight, to: 64),
      drawing: terminal.drawing.number,
      colours: terminal.colours.number
    )
    return try await output(of: request, bytes) { reply throws(PictureError) in
      try reply.drawing(for: request)
    }
  }

  /// Puts a picture, or an animation's first frame, on a canvas.
  /// - Parameters:
  ///   - bytes: the whole file.
  ///   - canvas: the size, and the greys.
  /// - Returns: a PNG file.
  public func picture(_ bytes: [UInt8], on canvas: PictureCanvas) async throws(PictureError) -> [UInt8] {
    guard bytes.count <= limits.bytes else { throw .tooManyBytes(count: bytes.count, limit: limits.bytes) }
    _ = try PictureHeader.format(of: bytes)
    let request = longbox_picture_request(
      length: UInt64(bytes.count),
      pixel_limit: UInt64(limits.pixels),
      colour_distance: Self.colourDistance,
      thumbnail_width: PictureCanvas.side(canvas.width),
      thumbnail_height: PictureCanvas.side(canvas.height),
      operation: UInt32(LONGBOX_PICTURE_CANVAS),
      columns: 0,
      rows: 0,
      cell_width: 0,
      cell_height: 0,
      drawing: 0,
      colours: canvas.greys.map { UInt32(min(max($0, 2), 256)) } ?? 0
    )
    return try await output(of: request, bytes) { reply throws(PictureError) in
      try reply.canvas(for: request)
    }
  }

  /// What follows the reply to a request, after a check; the process ends if that finds nonsense.
  private func output(
    of request: longbox_picture_request,
    _ bytes: [UInt8],
    checked: (PictureProcess.Reply) throws(PictureError) -> [UInt8]
  ) async throws(PictureError) -> [UInt8] {
    let reply = try await reply(to: request, bytes)
    do throws(PictureError) {
      return try checked(reply)
    } catch {
      if error == .nonsense { endProcess() }
      throw error
    }
  }

  private func decode(
    _ bytes: [UInt8],
    withThumbnail: Bool,
    pixelLimit: Int
  ) async throws(PictureError) -> (facts: PictureFacts, thumbnail: [UInt8]) {
    guard bytes.count <= limits.bytes else { throw .tooManyBytes(count: bytes.count, limit: limits.bytes) }
    let format = try PictureHeader.format(of: bytes)
    let request = longbox_picture_request(
      length: UInt64(bytes.count),
      pixel_limit: UInt64(pixelLimit),
      colour_distance: Self.colourDistance,
      thumbnail_width: withThumbnail ? Self.thumbnailWidth : 0,
      thumbnail_height: withThumbnail ? Self.thumbnailHeight : 0,
      operation: UInt32(LONGBOX_PICTURE_INSPECT),
      columns: 0,
      rows: 0,
      cell_width: 0,
      cell_height: 0,
      drawing: 0,
      colours: 0
    )
    let reply = try await reply(to: request, bytes)
    let facts: PictureFacts
    do throws(PictureError) {
      facts = try reply.facts(of: bytes, for: request)
    } catch {
      if error == .nonsense { endProcess() }
      throw error
    }
    switch format {
    case .gif: try GIFBlocks.check(bytes)
    case .png: try PNGEnd.check(bytes)
    case .jpeg: break
    }
    return (facts, reply.output)
  }

  /// Sends a picture to the process, and again if the process was killed from outside.
  private func reply(
    to request: longbox_picture_request,
    _ bytes: [UInt8]
  ) async throws(PictureError) -> PictureProcess.Reply {
    var hasTried = false
    while true {
      guard !Task.isCancelled else { throw .cancelled }
      let process = try runningProcess()
      let result = await withTaskCancellationHandler {
        Result { () throws(PictureProcess.Failure) in
          try process.reply(to: request, bytes, within: limits.time)
        }
      } onCancel: {
        process.kill()
      }
      switch result {
      case .success(let reply):
        noteReply()
        return reply
      case .failure(let failure):
        endProcess()
        guard !Task.isCancelled else { throw .cancelled }
        guard !hasTried, failure.isFromOutside else { throw .undecodable(reason: "\(failure)") }
        hasTried = true
      }
    }
  }

  private func runningProcess() throws(PictureError) -> PictureProcess {
    if let process, count < limits.picturesPerProcess, process.isRunning { return process }
    endProcess()
    do throws(PictureError) {
      let new = try PictureProcess(program, environment, within: limits.startTime)
      noteStart(of: new)
      process = new
      return new
    } catch {
      if !hasLoggedFailure {
        logger.error(
          "Longbox can't decode pictures. It shows them unchanged, without thumbnails.",
          metadata: ["error": "\(error)"]
        )
      }
      hasLoggedFailure = true
      throw error
    }
  }

  private func noteStart(of process: PictureProcess) {
    hasLoggedFailure = false
    guard !hasLoggedStart else { return }
    hasLoggedStart = true
    for (name, bit) in [("seccomp", LONGBOX_PICTURE_SECCOMP), ("Landlock", LONGBOX_PICTURE_LANDLOCK)]
    where Int(process.protections) & bit == 0 {
      logger.debug("longbox-pictures runs without \(name), which this system lacks.")
    }
  }

  private func noteReply() {
    count += 1
    idleEnd?.cancel()
    idleEnd = Task { [weak self, clock, idleTime = limits.idleTime] in
      try? await clock.sleep(for: idleTime)
      if !Task.isCancelled { await self?.endProcess() }
    }
  }

  private func endProcess() {
    process?.end()
    process = nil
    count = 0
  }
}

/// Runs an actor on a Dispatch queue instead of the cooperative pool, for work that blocks a thread.
///
/// Dispatch's own `DispatchSerialQueue` can do this only on Apple's systems.
final class SerialQueueExecutor: SerialExecutor {
  private let queue: DispatchQueue

  init(label: String) {
    queue = DispatchQueue(label: label)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

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
