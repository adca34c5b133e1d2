// Longbox
// SPDX-License-Identifier: MIT

import CPictureMessages
import Foundation

/// `longbox-pictures`, running: it decodes one picture after another.
final class PictureProcess: Sendable {
  /// A reply, and the thumbnail or the drawing that follows it.
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

  private let child: ChildProcess
  /// What confines the process besides resource limits.
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
      request.operation == UInt32(LONGBOX_PICTURE_DRAW) ? Self.drawingLimit : Self.thumbnailLimit
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

  /// Ends the process.
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
