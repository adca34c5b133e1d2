// Longbox
// SPDX-License-Identifier: MIT

import CPictureMessages
import Foundation
import LongboxCore

/// `longbox-pictures`, running: it decodes one picture after another.
final class PictureProcess: Sendable {
  /// A reply, and the thumbnail, the drawing or the canvas that follows it.
  struct Reply {
    let message: longbox_picture_reply
    let output: [UInt8]
  }

  /// Why there is no reply.
  enum Failure: Error {
    case timedOut
    case ended(ChildProcess.End)
    case nonsense
  }

  /// The largest thumbnail in bytes; 320 by 480 pixels of noise have 160,000.
  private static let thumbnailLimit = 1 << 20
  /// The largest drawing in bytes; a window of four million pixels in kitty's protocol has 22 million.
  private static let drawingLimit = 64 << 20
  /// The largest picture on a canvas in bytes; the largest canvas full of noise has 12.6 million.
  private static let canvasLimit = 16 << 20

  private let child: ChildProcess
  /// What confines the process besides resource limits: the bits `LONGBOX_PICTURE_SECCOMP` and
  /// `LONGBOX_PICTURE_LANDLOCK`.
  let protections: UInt32

  /// Starts the program, and waits until it is ready.
  /// - Parameters:
  ///   - program: the executable.
  ///   - given: environment variables for the program. Of this process's own, it gets only the path of libraries.
  ///   - time: how long it may take to start.
  /// - Throws: `unavailable`.
  init(
    _ program: URL,
    _ given: [String: String] = [:],
    within time: Duration
  ) throws(PictureError) {
    let deadline = ContinuousClock.now + time
    let environment = ProcessInfo.processInfo.environment.filter { $0.key == "LD_LIBRARY_PATH" }
      .merging(given) { $1 }
    let (path, cannotStart) = (program.path, "\(program.path) can't be started")
    do throws(ChildProcess.Fault) {
      child = try ChildProcess(program.path, environment: environment)
    } catch {
      guard case .cannotStart(let number) = error else { throw .unavailable(reason: cannotStart) }
      throw .unavailable(reason: "\(cannotStart): \(String(cString: strerror(number)))")
    }
    do throws(ChildProcess.Fault) {
      let bytes = try child.receive(MemoryLayout<longbox_picture_greeting>.size, before: deadline)
      let greeting = bytes.withUnsafeBytes { $0.loadUnaligned(as: longbox_picture_greeting.self) }
      guard Int(greeting.version) == LONGBOX_PICTURE_MESSAGES else { throw .closed }
      protections = greeting.protections
    } catch {
      let end = child.end()
      if error == .timedOut { throw .unavailable(reason: "\(path) did not start within \(time)") }
      if end.isFromOutside {
        throw .unavailable(reason: "\(path) has another version than this program, or was killed")
      }
      throw .unavailable(reason: "\(path) \(end)")
    }
  }

  /// The process's number.
  var identifier: pid_t { child.identifier }

  var isRunning: Bool { child.isRunning }

  /// Sends a picture, and receives the reply.
  /// - Parameter time: how long that may take.
  func reply(
    to request: longbox_picture_request,
    _ picture: [UInt8],
    within time: Duration
  ) throws(Failure) -> Reply {
    let deadline = ContinuousClock.now + time
    let message: longbox_picture_reply
    let output: [UInt8]?
    let limit =
      switch Int(request.operation) {
      case LONGBOX_PICTURE_DRAW: Self.drawingLimit
      case LONGBOX_PICTURE_CANVAS: Self.canvasLimit
      default: Self.thumbnailLimit
      }
    do throws(ChildProcess.Fault) {
      try child.send(withUnsafeBytes(of: request) { [UInt8]($0) }, before: deadline)
      try child.send(picture, before: deadline)
      let bytes = try child.receive(MemoryLayout<longbox_picture_reply>.size, before: deadline)
      message = bytes.withUnsafeBytes { $0.loadUnaligned(as: longbox_picture_reply.self) }
      let length = Int(clamping: message.output_length)
      output = length <= limit ? try child.receive(length, before: deadline) : nil
    } catch {
      if error == .timedOut { throw .timedOut }
      throw .ended(child.end())
    }
    guard let output else { throw .nonsense }
    return Reply(message: message, output: output)
  }

  /// Kills the process, without waiting for its end.
  func kill() { child.kill() }

  /// Kills the process if it still runs, and waits for its end.
  func end() { child.end() }
}

extension PictureProcess.Failure: CustomStringConvertible {
  /// Whether the process was ended for another reason than the picture.
  var isFromOutside: Bool {
    if case .ended(let end) = self { end.isFromOutside } else { false }
  }

  /// What happened, as the end of a sentence.
  var description: String {
    switch self {
    case .timedOut: "decoding it takes too long"
    case .ended(let end): "longbox-pictures \(end) while decoding the picture"
    case .nonsense: "longbox-pictures has sent a reply that makes no sense"
    }
  }
}

extension PictureProcess.Reply {
  /// Checks the reply: the program reads untrusted bytes, so it is not trusted either.
  /// - Parameters:
  ///   - bytes: the picture.
  ///   - request: what was sent before it.
  /// - Throws: the error that the program found in the picture; `undecodable` if the reply makes no sense.
  func facts(of bytes: [UInt8], for request: longbox_picture_request) throws(PictureError) -> PictureFacts {
    let pixelLimit = Int(clamping: request.pixel_limit)
    try checkResult(pixelLimit)
    let (width, height) = (Int(clamping: message.width), Int(clamping: message.height))
    guard
      let format = PictureFacts.Format(rawValue: UInt8(clamping: message.format)),
      width > 0, height > 0, width <= pixelLimit / height,
      message.frames > 0, message.is_transparent <= 1, message.colour_permille <= 1000,
      message.lightness <= 255,
      request.thumbnail_width > 0 ? output.starts(with: "RIFF".utf8) : output.isEmpty
    else { throw .nonsense }
    return PictureFacts(
      width: width,
      height: height,
      byteCount: bytes.count,
      frames: Int(message.frames),
      format: format,
      isTransparent: message.is_transparent == 1,
      colourPermille: Int(message.colour_permille),
      lightness: Int(message.lightness)
    )
  }

  /// Checks the reply to a request to draw.
  /// - Returns: what to send to the terminal, see ``TerminalDrawing``.
  /// - Throws: as ``facts(of:for:)``.
  func drawing(for request: longbox_picture_request) throws(PictureError) -> [UInt8] {
    try checkResult(Int(clamping: request.pixel_limit))
    guard !output.isEmpty, TerminalDrawing.isSafe(output) else { throw .nonsense }
    return output
  }

  /// Checks the reply to a request for a canvas.
  /// - Returns: a PNG file of the requested size. Browsers decode it again, so only its head is checked.
  /// - Throws: as ``facts(of:for:)``.
  func canvas(for request: longbox_picture_request) throws(PictureError) -> [UInt8] {
    try checkResult(Int(clamping: request.pixel_limit))
    guard let facts = try? PictureHeader.facts(of: output), facts.format == .png,
      Self.isSide(facts.width, request.thumbnail_width, besides: request.thumbnail_height),
      Self.isSide(facts.height, request.thumbnail_height, besides: request.thumbnail_width)
    else { throw .nonsense }
    return output
  }

  /// With both sides requested, whether this one is exactly that long.
  ///
  /// With one or none, only whether it is within the limit.
  private static func isSide(_ pixels: Int, _ requested: UInt32, besides other: UInt32) -> Bool {
    requested > 0 && other > 0 ? pixels == Int(requested) : pixels > 0 && pixels <= PictureCanvas.longestSide
  }

  private func checkResult(_ pixelLimit: Int) throws(PictureError) {
    switch Int(message.result) {
    case LONGBOX_PICTURE_OK: break
    case LONGBOX_PICTURE_FOREIGN: throw .foreign
    case LONGBOX_PICTURE_TOO_LARGE:
      let (width, height) = (Int(clamping: message.width), Int(clamping: message.height))
      throw .tooManyPixels(width: width, height: height, limit: pixelLimit)
    case LONGBOX_PICTURE_DAMAGED: throw .damaged(reason: reason)
    default: throw .nonsense
    }
  }

  /// libvips' words as one line.
  private var reason: String {
    withUnsafeBytes(of: message.reason) { bytes in
      let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      return text.split(whereSeparator: \.isNewline).joined(separator: "; ").filter { !$0.isControl }
    }
  }
}

extension PictureError {
  static var nonsense: PictureError { .undecodable(reason: "\(PictureProcess.Failure.nonsense)") }
}

extension Character {
  fileprivate var isControl: Bool { unicodeScalars.contains { $0.properties.generalCategory == .control } }
}
