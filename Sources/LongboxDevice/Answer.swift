// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import LongboxPages

/// What the reader gets, and what the host has to do.
///
///     u32 status
///     u8  flags: bit 0 the library has changed and has to be stored first, bit 1 another host may know more
///     u32 number of things that the page lacks; each u8 0 newest comic, 1 a comic's text, 2 facts of its picture, and u32
///         comic; u8 4 the lead of its explanation, 5 the whole, and u32 comic; or u8 3 a search, u32 length, the question for the finder
///     u32 length of the address to go to instead, the address
///     the page, to the end
struct Answer {
  let response: Response
  let isLibraryChanged: Bool

  init(_ response: Response, isLibraryChanged: Bool) {
    self.response = response
    self.isLibraryChanged = isLibraryChanged
  }

  var bytes: [UInt8] {
    var writer = MessageWriter()
    writer.append32(response.status)
    writer.append((isLibraryChanged ? 1 : 0) | (response.isUnknownHere ? 2 : 0))
    writer.append32(response.needs.count)
    for need in response.needs {
      switch need {
      case .latest:
        writer.append(0)
        writer.append32(0)
      case .comic(let number):
        writer.append(1)
        writer.append32(number.value)
      case .picture(let number):
        writer.append(2)
        writer.append32(number.value)
      case .lead(let number):
        writer.append(4)
        writer.append32(number.value)
      case .explanation(let number):
        writer.append(5)
        writer.append32(number.value)
      case .search(let question):
        let bytes = question.encoded()
        writer.append(3)
        writer.append32(bytes.count)
        writer.append(bytes)
      }
    }
    writer.append32(response.location.count)
    writer.append(response.location.bytes)
    writer.append(response.body)
    return writer.bytes
  }
}
