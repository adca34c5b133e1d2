// Longbox
// SPDX-License-Identifier: MIT

import LongboxCore
import Testing

@testable import LongboxPages

struct TranscriptLineTests {
  @Test(
    arguments: [
      ("[[A man flies.]]", TranscriptLine.scene("A man flies.")),
      ("  [[ A man flies. ]]  ", .scene("A man flies.")),
      ("<<BOOM>>", .sound("BOOM")),
      ("((The panel is empty.))", .plain("The panel is empty.")),
      ("Man: How?", .speech(speaker: "Man", words: "How?")),
      ("Girl #2: Oh: no", .speech(speaker: "Girl #2", words: "Oh: no")),
      ("It is 12:30 now", .plain("It is 12:30 now")),
      ("He said so. Then: nothing", .plain("He said so. Then: nothing")),
      (": nobody speaks", .plain(": nobody speaks")),
      ("Man:", .plain("Man:")),
      ("[[]]", .plain("[[]]")),
      ("[[One]] and [[two]]", .plain("[[One]] and [[two]]")),
      ("[One]", .plain("[One]")),
      (
        "A name that is far too long for anybody to bear: words",
        .plain("A name that is far too long for anybody to bear: words")
      ),
    ]
  )
  func `a line's kind is known by its notation`(line: String, expected: TranscriptLine) {
    #expect(TranscriptLine.lines(of: Text(string: line)) == [expected])
  }

  @Test func `empty lines are left out`() {
    #expect(TranscriptLine.lines(of: "\n\n a \n\t\nb\n") == [.plain("a"), .plain("b")])
    #expect(TranscriptLine.lines(of: .empty).isEmpty)
  }

  @Test func `scenes, speakers and sounds have different markup`() {
    #expect(TranscriptLine.scene("<i>").html.description == #"<p class="scene">&lt;i&gt;</p>"#)
    #expect(
      TranscriptLine.speech(speaker: "A&B", words: "Hi").html.description
        == #"<p class="speech"><strong>A&amp;B:</strong> Hi</p>"#
    )
    #expect(TranscriptLine.sound("POW").html.description == #"<p class="sound">POW</p>"#)
  }
}
