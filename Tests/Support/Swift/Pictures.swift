// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// Small pictures made once with Pillow, each with the irregularities of real ones.
package enum Pictures {
  /// 3 by 2, one bit per pixel.
  package static let png = decoded(
    """
    iVBORw0KGgoAAAANSUhEUgAAAAMAAAACAQMAAACnuvRZAAAAA1BMVEUAAACnej3aAAAADElEQVR4nGN4wMQAAAKoAOPMyScWAAAA\
    AElFTkSuQmCC
    """
  )

  /// 9 by 8, progressive, with restart markers, a padding byte before a marker, and a JPEG in its EXIF block.
  package static let jpeg = decoded(
    """
    /9j/4QFURXhpZgAA/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////\
    ////////////////////////////////////wAALCAACAAIBAREA/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QA\
    tRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6\
    Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJ\
    ytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/9oACAEBAAA/AKVf/9n//+AAEEpGSUYAAQEAAAEAAQAA/9sAQwAoHB4jHhko\
    IyEjLSsoMDxkQTw3Nzx7WF1JZJGAmZaPgIyKoLTmw6Cq2q2KjMj/y9ru9f///5vB////+v/m/f/4/8IACwgACAAJAQERAP/EABUA\
    AQEAAAAAAAAAAAAAAAAAAAAC/90ABAAB/9oACAEBAAAAAX//0I//xAAWEAADAAAAAAAAAAAAAAAAAAAAIUH/2gAIAQEAAQUCv//Q\
    R//EABYQAQEBAAAAAAAAAAAAAAAAAAABMf/aAAgBAQAGPwKP/9DK/8QAGRAAAwADAAAAAAAAAAAAAAAAAAERMXHx/9oACAEBAAE/\
    IcV2kz//0L1H/9oACAEBAAAAEP8A/9D/AP/EABwQAQACAQUAAAAAAAAAAAAAAAEAESFhccHR8f/aAAgBAQABPxCwCcCEXSabPM//\
    0PF7z//Z
    """
  )

  /// 5 by 4, two frames with a comment; the second has its own colour table.
  package static let gif = decoded(
    """
    R0lGODlhBQAEAIEAAAAAAAAAAAAAAAAAACH/C05FVFNDQVBFMi4wAwEAAAAh/gZhIGxvb3AAIfkEAAUAAAAsAAAAAAUABAAACA8A\
    AQAIILBggIMCDxJUGBAAIfkEAQUAAgAsAAAAAAUABACBCQkJCQkJAAAAAAAACA8AAwAIIJCgwYEFASAMEBAAOw==
    """
  )

  private static func decoded(_ base64: String) -> [UInt8] { Array(Data(base64Encoded: base64) ?? Data()) }
}
