// Longbox
// SPDX-License-Identifier: MIT

import Testing

@testable import LongboxServer

@Suite struct `Forwarded header fields` {
  private func hop(_ client: String?, _ scheme: String? = nil, _ host: String? = nil) -> ForwardedHop {
    ForwardedHop(client: client.flatMap { IPAddress(text: $0) }, scheme: scheme, host: host)
  }

  @Test func `are read as RFC 7239 says`() {
    #expect(ForwardedHop.standard("for=192.0.2.60;proto=http;by=203.0.113.43") == [hop("192.0.2.60", "http")])
    #expect(
      ForwardedHop.standard(
        "for=192.0.2.43, For=\"[2001:db8:cafe::17]:4711\" ; PROTO=HTTPS;host=a.example:80"
      )
        == [hop("192.0.2.43"), hop("2001:db8:cafe::17", "https", "a.example:80")]
    )
    #expect(ForwardedHop.standard("for=\"_mdn\",for=unknown;proto=ftp") == [hop(nil), hop(nil)])
    #expect(ForwardedHop.standard("for=\"192.0.2\\.1\";x=\"a;,b\"") == [hop("192.0.2.1")])
  }

  @Test(arguments: [
    "", ",", "for", "for=", "=1", "for=192.0.2.1,", "for=192.0.2.1;", "for=\"192.0.2.1", "for=\"192.0.2.1\\",
    "for=192.0.2.1;for=192.0.2.2", "for= 192.0.2.1", "for=[2001:db8::1]", "for=\"x, for=192.0.2.1",
    "for=\"x, for=\"[2001:db8::1]\"", "for=192.0.2.1 proto=https", "for=\"a\"b",
  ])
  func `are malformed as a whole`(field: String) {
    #expect(ForwardedHop.standard(field) == nil)
  }

  @Test func `of the usual kind are lists`() {
    #expect(
      ForwardedHop.common(clients: " 192.0.2.1 ,\t10.0.0.1", schemes: "https", hosts: nil)
        == [hop("192.0.2.1", "https"), hop("10.0.0.1", "https")]
    )
    #expect(
      ForwardedHop.common(clients: "192.0.2.1, 10.0.0.1", schemes: "HTTPS, http", hosts: "a, b, c")
        == [hop("192.0.2.1", "https", "c"), hop("10.0.0.1", "http", "c")]
    )
    #expect(ForwardedHop.common(clients: nil, schemes: "http, https", hosts: "a/b") == [hop(nil, "https")])
    #expect(ForwardedHop.common(clients: "x,,", schemes: "wss", hosts: "") == [hop(nil), hop(nil), hop(nil)])
  }

  @Test(arguments: [
    ("192.0.2.1", "192.0.2.1"), ("192.0.2.1:1234", "192.0.2.1"), ("2001:db8::1", "2001:db8::1"),
    ("[2001:db8::1]", "2001:db8::1"), ("[2001:db8::1]:80", "2001:db8::1"), ("::ffff:192.0.2.1", "192.0.2.1"),
    ("", nil), ("unknown", nil), ("192.0.2.1:", nil), ("192.0.2.1:x", nil), ("[2001:db8::1", nil),
    ("[2001:db8::1]x", nil), ("a.example", nil), ("192.0.2.1 ", nil), ("1.2.3", nil), ("\u{661}.1.1.1", nil),
  ])
  func `have addresses with and without ports`(text: String, address: String?) {
    #expect(ForwardedHop.address(text)?.description == address)
  }
}
