// Longbox
// SPDX-License-Identifier: MIT

import CPictureMessages
import LongboxCore

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
