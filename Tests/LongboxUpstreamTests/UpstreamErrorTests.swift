// Longbox
// SPDX-License-Identifier: MIT

import LongboxUpstream
import Testing

@Suite("An upstream error") struct UpstreamErrorTests {
  @Test(arguments: [
    (UpstreamError.notFound(.xkcd, subject: "comic 9000"), "xkcd has no comic 9000."),
    (
      .rateLimited(.xkcd, retryAfter: .seconds(90)),
      "xkcd asks Longbox to wait 90 seconds. Longbox asks again after that."
    ),
    (
      .rateLimited(.xkcd, retryAfter: .milliseconds(300)),
      "xkcd asks Longbox to wait 1 second. Longbox asks again after that."
    ),
    (.rateLimited(.xkcd, retryAfter: nil), "xkcd asks for fewer requests; try again in a few minutes."),
    (
      .busy(.itunes),
      "The iTunes Store can't be asked now, since too many requests wait already; try again in a minute."
    ),
    (.unreachable(.xkcd, reason: "no network"), "xkcd can't be reached: no network."),
    (.timedOut(.xkcd, subject: "comic 7"), "xkcd took too long to send comic 7; try again later."),
    (
      .serverError(.xkcd, status: 503, retryAfter: nil),
      "xkcd has an internal error (status 503); try again later."
    ),
    (
      .unexpectedStatus(.xkcd, subject: "comic 7", status: 418),
      "xkcd answered with the unexpected status 418 when asked for comic 7."
    ),
    (
      .malformed(.xkcd, at: "comic 7: it is empty"),
      "xkcd sent something that can't be read: comic 7: it is empty."
    ),
    (
      .rejected(.xkcd, .origin(.init(scheme: .http, host: "10.0.0.1", port: 8080))),
      "Longbox did not take what xkcd sent: it leads to http://10.0.0.1:8080, which is not a host that Longbox may ask."
    ),
    (
      .rejected(.xkcd, .redirects(limit: 5)),
      "Longbox did not take what xkcd sent: it redirects more than 5 times."
    ),
    (.rejected(.xkcd, .size(limit: 9)), "Longbox did not take what xkcd sent: it is longer than 9 bytes."),
    (.cancelled, "The request was cancelled."),
  ])
  func `reads as a sentence`(error: UpstreamError, sentence: String) {
    #expect(error.description == sentence)
  }
}
