// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import LongboxPages
import Testing

@testable import LongboxServer

@Suite struct `A content type` {
  @Test(arguments: [
    ("multipart/form-data; boundary=----WebKitFormBoundaryabc", "----WebKitFormBoundaryabc"),
    ("Multipart/Form-Data;boundary=\"a b\"", "a b"),
    ("multipart/form-data; charset=utf-8; Boundary=x", "x"),
    ("multipart/form-data", nil), ("multipart/mixed; boundary=x", nil), ("text/plain; boundary=x", nil),
    ("multipart/form-data; boundary=", nil), ("multipart/form-data; boundary=ü", nil), (nil, nil),
    ("multipart/form-data; boundary=" + String(repeating: "x", count: 71), nil),
  ])
  func `has a boundary`(contentType: String?, boundary: String?) {
    #expect(MultipartForm.boundary(in: contentType)?.description == boundary)
  }
}
