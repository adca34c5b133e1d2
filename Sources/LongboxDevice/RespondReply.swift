// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import LongboxPages

/// What the host has to load next, or the response for the reader.
///
///     u8  0: u32 number of needs, each u8 kind, text key. Nothing was rendered.
///     u8  1: u32 status
///            u8  flags: bit 0 the library has changed, store it first; bit 1 the server may know more; bit 2 the body is
///                the library's file
///            u32 the viewed comic, or 0
///            text the address of a redirect, or empty
///            the page or the file, to the end
enum RespondReply {
  case needs([Need])
  case response(Response, isLibraryChanged: Bool)

  var bytes: [UInt8] {
    var writer = MessageWriter()
    switch self {
    case .needs(let needs):
      writer.append(0)
      writer.append32(needs.count)
      for need in needs {
        writer.append(need.kind)
        writer.append(text: need.key)
      }
    case .response(let response, let isLibraryChanged):
      writer.append(1)
      writer.append32(response.status)
      writer.append(
        (isLibraryChanged ? 1 : 0) | (response.serverMayKnowMore ? 2 : 0) | (response.isFile ? 4 : 0)
      )
      writer.append32(response.viewed?.value ?? 0)
      writer.append(text: response.location)
      writer.append(response.body)
    }
    return writer.bytes
  }
}
