// Longbox
// SPDX-License-Identifier: MIT

import Testing

struct MarkupTests {
  @Test(
    arguments: [
      "<p>", "<p><b></p></b>", "</p>", "<p>a > b</p>", "<p", "<p id=a></p>", #"<p id="a" id="b"></p>"#,
      #"<p id="a"></p><i id="a"></i>"#, #"<img alt="a"src="b">"#, #"<label for="nobody"></label>"#,
      #"<p style="color:red"></p>"#, #"<a onclick="x"></a>"#, "<>", "<p></p>tail",
    ]
  )
  func `the strict parser reports faults`(page: String) {
    #expect(!Markup("<!doctype html>" + page).faults.isEmpty)
  }

  @Test func `the strict parser accepts well-formed markup`() {
    let page =
      #"<!doctype html><p id="a" hidden>x <img alt="" src="/s"><a href="/h">y</a></p><svg><path d="M0 0"/></svg>"#
    #expect(Markup(page).faults == [])
    #expect(Markup(page).addresses == ["/s", "/h"])
  }
}
