// Longbox
// SPDX-License-Identifier: MIT

import Crypto
import Foundation
import NIOSSL
import PushTestSupport
import Testing

@testable import LongboxPush

@Suite(.timeLimit(.minutes(5))) struct HookTests {
  private let message = HookMessage(
    number: 7,
    title: "Bread & <Butter>",
    link: "https://comics.example.org/7/",
    picture: "https://imgs.example.org/bread.png",
    altText: "It is buttered.",
    json: Array(#"{"event":"comic"}"#.utf8)
  )

  private static let spellings: [(address: String, url: String, name: String)] = [
    ("ntfys://ntfy.example.org/comics", "https://ntfy.example.org/", "ntfy at ntfy.example.org"),
    ("ntfy://192.168.1.7:8080/comics", "http://192.168.1.7:8080/", "ntfy at 192.168.1.7:8080"),
    ("ntfy://comics", "https://ntfy.sh/", "ntfy at ntfy.sh"),
    ("ntfy://ntfy.sh/comics", "https://ntfy.sh/", "ntfy at ntfy.sh"),
    (
      "discord://4174216298/made_up-Webhook-token",
      "https://discord.com/api/webhooks/4174216298/made_up-Webhook-token?wait=true",
      "Discord at discord.com"
    ),
    (
      "slack://TTEAM/BHOOK/madeUpToken",
      "https://hooks.slack.com/services/TTEAM/BHOOK/madeUpToken",
      "Slack at hooks.slack.com"
    ),
    (
      "mmost://chat.lan/madeuphook",
      "http://chat.lan:8065/hooks/madeuphook",
      "Mattermost at chat.lan:8065"
    ),
    (
      "mmosts://chat.example.org/team/madeuphook", "https://chat.example.org/team/hooks/madeuphook",
      "Mattermost at chat.example.org"
    ),
    (
      "tgram://123456789:abcdefg_hijklmnop/-1001234",
      "https://api.telegram.org/bot123456789:abcdefg_hijklmnop/sendMessage",
      "Telegram at api.telegram.org"
    ),
    (
      "telegram://123456789:abcdefg_hijklmnop@-1001234",
      "https://api.telegram.org/bot123456789:abcdefg_hijklmnop/sendMessage", "Telegram at api.telegram.org"
    ),
    (
      "https://me:word@home.example.org/in/comics?key=7", "https://home.example.org/in/comics?key=7",
      "JSON at home.example.org"
    ),
    ("jsons://home.example.org/in", "https://home.example.org/in", "JSON at home.example.org"),
    ("json://[fd00::7]:8123/in", "http://[fd00::7]:8123/in", "JSON at [fd00::7]:8123"),
  ]

  /// Addresses as Apprise documents them, and where their messages go.
  @Test(arguments: spellings)
  func `is spelled as Apprise spells it`(address: String, url: String, name: String) throws {
    let hook = try Hook(address)
    #expect(hook.target.url == url)
    #expect(hook.name == name)
    #expect(try hook.id == Hook(address).id && hook.id != Hook(address + "x").id)
  }

  @Test(arguments: [
    ("telegram://1234:abc@-1001", "-1001"), ("tgram://1234:abc/42", "42"),
    ("tgram://1234:abc/@comics", "@comics"),
    ("telegram://1234:abc@@comics", "@comics"), ("tgram://1234:abc/comics", "@comics"),
  ])
  func `names a chat of Telegram by number or name`(address: String, chat: String) throws {
    #expect(try Hook(address).target.room == chat)
  }

  @Test(arguments: [
    "", "comics", "gotify://host/tokentoken", "ntfy://", "ntfys://host/two/topics", "ntfys://host/top%20ic",
    "discord://4174216298", "discord://words/tokentoken", "discord://1/tokentoken/more",
    "slack://a/tokentoken",
    "slack://a/b/tokentoken/#room", "mmosts://host", "tgram://tokentoken/1", "tgram://1234:tokentoken",
    "tgram://1234:tokentoken/1/2", "https://", "https://ho st/tokentoken", "https://host:99999/tokentoken",
    "ntfys://host/topic?alt=maybe", "https://host/" + String(repeating: "a", count: 2048),
  ])
  func `is refused where it is misspelled, without its secrets`(address: String) {
    let problem = #expect(throws: HookAddressProblem.self) { try Hook(address) }
    #expect(problem?.expected.contains("tokentoken") == false)
    #expect(problem?.scheme.contains("tokentoken") == false)
  }

  /// Sends to a stand-in for the service of an address.
  private func send(
    _ message: HookMessage? = nil,
    to address: String,
    showsAltText: Bool = false,
    secret: String? = nil,
    time: Duration = .seconds(60),
    answering reply: FakePushService.Reply
  ) async throws -> (outcome: Hook.Outcome, got: [FakePushService.Message]) {
    try await FakePushService.run(answering: { _ in reply }) { service async throws in
      let hook = try Hook(
        address.replacingOccurrences(of: "HOST", with: "127.0.0.1:\(service.port)"),
        showsAltText: showsAltText
      )
      var sender = HookSender([hook, hook], secret: secret, userAgent: "Longbox/7")
      #expect(sender.hooks.count == 1)
      sender.time = time
      for host in ["discord.com", "hooks.slack.com", "api.telegram.org", "ntfy.sh"] {
        sender.origins["https://\(host)"] = service.origin
      }
      let outcome = await sender.send(message ?? self.message, to: hook, id: "d1")
      return (outcome, service.messages)
    }
  }

  private static let messages: [(address: String, path: String, reply: String, body: String)] = [
    (
      "ntfy://HOST/comics", "/", #"{"id":"hwQ2YpKdmg","time":1635528741,"event":"message","topic":"comics"}"#,
      #"{"attach":"https://imgs.example.org/bread.png","click":"https://comics.example.org/7/","#
        + #""message":"7: Bread & <Butter>\nIt is buttered.","title":"New xkcd comic","topic":"comics"}"#
    ),
    (
      "discord://41/to_ken", "/api/webhooks/41/to_ken?wait=true",
      #"{"id":"1091","type":0,"content":"New xkcd comic"}"#,
      #"{"allowed_mentions":{"parse":[]},"content":"New xkcd comic","embeds":[{"description":"It is buttered.","#
        + #""image":{"url":"https://imgs.example.org/bread.png"},"title":"7: Bread & <Butter>","#
        + #""url":"https://comics.example.org/7/"}]}"#
    ),
    (
      "slack://bot@T1/A1/x9", "/services/T1/A1/x9", "ok",
      #"{"attachments":[{"fallback":"7: Bread &amp; &lt;Butter&gt; https://comics.example.org/7/","#
        + #""image_url":"https://imgs.example.org/bread.png","text":"It is buttered.","#
        + #""title":"7: Bread &amp; &lt;Butter&gt;","title_link":"https://comics.example.org/7/"}],"#
        + #""text":"New xkcd comic","username":"bot"}"#
    ),
    (
      "mmost://HOST/abc123?channel=comics", "/hooks/abc123", "ok",
      #"{"attachments":[{"fallback":"7: Bread &amp; &lt;Butter&gt; https://comics.example.org/7/","#
        + #""image_url":"https://imgs.example.org/bread.png","text":"It is buttered.","#
        + #""title":"7: Bread &amp; &lt;Butter&gt;","title_link":"https://comics.example.org/7/"}],"#
        + #""channel":"comics","text":"New xkcd comic"}"#
    ),
    (
      "tgram://12:ab/-100", "/bot12:ab/sendMessage", #"{"ok":true,"result":{"message_id":3}}"#,
      #"{"chat_id":"-100","link_preview_options":{"prefer_large_media":true,"show_above_text":true,"#
        + #""url":"https://imgs.example.org/bread.png"},"#
        + #""text":"New xkcd comic 7: Bread & <Butter>\nhttps://comics.example.org/7/\nIt is buttered."}"#
    ),
    ("http://HOST/in?key=7", "/in?key=7", "", #"{"event":"comic"}"#),
  ]

  /// Messages, as each service documents them, and its acknowledgement.
  @Test(arguments: messages)
  func `sends what its service documents`(address: String, path: String, reply: String, body: String)
    async throws
  {
    let (outcome, got) = try await send(to: address, showsAltText: true, answering: .status(200, body: reply))
    #expect(outcome == .delivered)
    #expect(got.map(\.path) == [path])
    #expect(got.map { String(decoding: $0.body, as: UTF8.self) } == [body])
    #expect(got.first?.field("Content-Type") == "application/json")
    #expect(got.first?.field("User-Agent") == "Longbox/7")
  }

  @Test func `sends the alt text only if it is asked for`() async throws {
    let reply = FakePushService.Reply.status(200, body: #"{"id":"a"}"#)
    for (query, showsAltText, isThere) in [
      ("", false, false), ("?alt=yes", false, true), ("", true, true), ("?alt=no", true, false),
    ] {
      let (_, got) = try await send(to: "ntfy://HOST/c\(query)", showsAltText: showsAltText, answering: reply)
      let text = String(decoding: try #require(got.first).body, as: UTF8.self)
      #expect(text.contains("buttered") == isThere)
    }
  }

  @Test func `signs what a program gets, and says which delivery it is`() async throws {
    let secret = "a secret of the operator"
    let (_, got) = try await send(to: "http://HOST/in", secret: secret, answering: .status(204))
    let request = try #require(got.first)
    #expect(request.field("X-Longbox-Event") == "comic" && request.field("X-Longbox-Delivery") == "d1")
    let hex = try #require(request.field("X-Longbox-Signature"))
    let code = stride(from: 0, to: hex.utf8.count, by: 2).compactMap { place in
      UInt8(hex.dropFirst(place).prefix(2), radix: 16)
    }
    let key = SymmetricKey(data: Array(secret.utf8))
    #expect(HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: request.body, using: key))
    let (_, unsigned) = try await send(to: "http://HOST/in", answering: .status(204))
    #expect(unsigned.first?.field("X-Longbox-Signature") == nil)
    let (_, other) = try await send(to: "ntfy://HOST/in", secret: secret, answering: .status(204))
    #expect(other.first?.field("X-Longbox-Signature") == nil, "Others get no signature.")
  }

  @Test(arguments: [
    ("http://me:pass%20word@HOST/in", "Basic bWU6cGFzcyB3b3Jk"), ("ntfy://tk_abc@HOST/in", "Bearer tk_abc"),
    ("ntfy://me:word@HOST/in", "Basic bWU6d29yZA=="),
  ])
  func `authenticates itself`(address: String, field: String) async throws {
    let (_, got) = try await send(to: address, answering: .status(200, body: #"{"id":"a"}"#))
    #expect(got.first?.field("Authorization") == field)
  }

  private static let errors: [(address: String, status: Int, fields: String, body: String, pause: Double?)] =
    [
      (
        "discord://41/to_ken", 429, "",
        #"{"message":"You are being rate limited.","retry_after":64.57,"global":false}"#, 64.57
      ),
      ("discord://41/to_ken", 404, "", #"{"message":"Unknown Webhook","code":10015}"#, nil),
      ("discord://41/to_ken", 401, "", #"{"message":"Invalid Webhook Token","code":50027}"#, nil),
      ("slack://T1/A1/x9", 429, "Retry-After: 30", "rate_limited", 30),
      ("slack://T1/A1/x9", 410, "", "channel_is_archived", nil),
      ("slack://T1/A1/x9", 500, "", "rollup_error", 0),
      (
        "mmost://HOST/abc123", 400, "",
        #"{"id":"web.incoming_webhook.invalid","message":"Invalid webhook","status_code":400}"#, nil
      ),
      (
        "tgram://12:ab/1", 429, "",
        #"{"ok":false,"error_code":429,"description":"Too Many Requests: retry after 5","parameters":{"retry_after":5}}"#,
        5
      ),
      (
        "tgram://12:ab/1", 403, "",
        #"{"ok":false,"error_code":403,"description":"Forbidden: bot was blocked by the user"}"#, nil
      ),
      ("ntfy://HOST/c", 429, "", #"{"code":42901,"http":429,"error":"limit reached: too many requests"}"#, 0),
      ("ntfy://HOST/c", 403, "", #"{"code":40301,"http":403,"error":"forbidden"}"#, nil),
      ("ntfy://HOST/c", 507, "", "", 0),
      ("http://HOST/in", 408, "", "", 0),
      ("http://HOST/in", 302, "Location: https://elsewhere.example.org/", "", nil),
      // A web server that is no ntfy, and a page to sign in that is no Telegram.
      ("ntfy://HOST/c", 200, "", "<html>Welcome</html>", nil),
      ("tgram://12:ab/1", 200, "", "<html>Sign in</html>", nil),
    ]

  /// Errors as each service documents them; nil for a pause means that it is final.
  @Test(arguments: errors)
  func `repeats what may pass, and nothing else`(
    address: String,
    status: Int,
    fields: String,
    body: String,
    pause: Double?
  ) async throws {
    let (outcome, _) = try await send(to: address, answering: .status(status, fields, body: body))
    switch (outcome, pause) {
    case (.later(let after, let reason), let pause?):
      #expect(after == (pause == 0 ? nil : .seconds(pause)))
      #expect(reason.contains("\(status)"))
    case (.rejected(let reason), nil): #expect(reason.contains("\(status)"))
    default: Issue.record("\(outcome)")
    }
  }

  @Test func `says what the service said, without the address's secrets`() async throws {
    let (outcome, _) = try await send(
      to: "http://HOST/in/tokentoken?key=keykey",
      answering: .status(404, body: "There is no\n/in/tokentoken?key=keykey; keykey\u{7}")
    )
    guard case .rejected(let reason) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(reason.contains("There is no"))
    #expect(!reason.contains("token") && !reason.contains("keykey") && !reason.contains("\n"))
  }

  @Test(arguments: [FakePushService.Reply.silence, .endless, .drip])
  func `is not waited for without end`(reply: FakePushService.Reply) async throws {
    let (outcome, _) = try await send(to: "http://HOST/in", time: .seconds(1), answering: reply)
    guard case .later = outcome else {
      Issue.record("\(outcome)")
      return
    }
  }

  @Test func `that can't be reached is tried again`() async throws {
    let port = try await FakePushService.run { service async throws in service.port }
    let hook = try Hook("http://127.0.0.1:\(port)/in/tokentoken")
    let outcome = await HookSender([hook], userAgent: "Longbox/7").send(message, to: hook, id: "d1")
    let reason = "JSON at 127.0.0.1:\(port) can’t be reached: it refuses connections."
    #expect(outcome == .later(after: nil, reason: reason))
  }

  @Test func `that has no HTTPS, or another certificate, is named so`() {
    let plain = NIOSSLError.handshakeFailed(.sslError([]))
    #expect(ConnectionFailure.reason(plain) == "it has no HTTPS there")
    let other = ConnectionFailure.reason(NIOSSLExtraError.failedToValidateHostname)
    #expect(other == "its certificate isn’t trusted on this machine, or is one of another name")
  }

  @Test func `has one delivery id for each comic`() throws {
    let (a, b) = (try Hook("ntfys://host/a"), try Hook("ntfys://host/b"))
    #expect(a.deliveryID(of: 7) == a.deliveryID(of: 7) && a.deliveryID(of: 7).count == 32)
    #expect(Set([a.deliveryID(of: 7), a.deliveryID(of: 8), b.deliveryID(of: 7)]).count == 3)
  }
}
