// Longbox
// SPDX-License-Identifier: MIT

import Foundation

/// Where a hook's messages go, as its service reads it from the address.
struct HookTarget: Sendable {
  let url: String
  /// The value of `Authorization`, if there is one.
  var authorization: String?
  /// The topic, channel or chat.
  var room = ""
  /// The name under which messages appear.
  var sender: String?
  /// Whether the authority of the address is a host, and not a secret.
  var showsAuthority = false
}

/// A service that takes messages about new comics.
///
/// Each service is a value: how its addresses are spelled, how a message is written for it, and what its acknowledgement is.
struct HookService: Sendable {
  let name: String
  /// For messages about a wrong address.
  let spelling: String
  let schemes: Set<String>
  /// Reads an address; nil if it isn't one of this service.
  let target: @Sendable (HookAddress) -> HookTarget?
  /// Writes the JSON of a message.
  let body: @Sendable (HookMessage, Hook) throws -> [UInt8]
  /// Whether a reply with a status of 2xx is the service's acknowledgement, and not that of some other web server.
  var acknowledges: @Sendable (HookReply.Details) -> Bool = { _ in true }
  /// Whether messages are the JSON of this program, signed.
  var isPlain = false

  static let all = [ntfy, discord, slack, mattermost, telegram, plain]

  private static func json(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.keyEncodingStrategy = .convertToSnakeCase
    return [UInt8](try encoder.encode(value))
  }

  /// The value of `Authorization` for a name and a password (RFC 7617), or a token in place of both.
  private static func basic(_ address: HookAddress) -> String? {
    guard let user = address.user else { return nil }
    return "Basic " + Data("\(user):\(address.password ?? "")".utf8).base64EncodedString()
  }
}

// The source of each is the service's documentation, named at its value.
extension HookService {
  /// As https://docs.ntfy.sh/publish/#publish-as-json describes.
  static let ntfy = HookService(
    name: "ntfy",
    spelling: "ntfys://HOST/TOPIC",
    schemes: ["ntfy", "ntfys"],
    target: { address in
      guard address.path.count <= 1, let host = address.host() else { return nil }
      // With a topic alone it is one of ntfy.sh, which has no plain HTTP.
      let isCloud = address.path.isEmpty || host.lowercased() == "ntfy.sh"
      let topic = address.path.first ?? address.authority
      guard topic.isToken(), topic.count <= 64 else { return nil }
      let isToken = address.password == nil && address.user?.hasPrefix("tk_") == true
      return HookTarget(
        url: isCloud ? "https://ntfy.sh/" : "\(address.scheme == "ntfys" ? "https" : "http")://\(host)/",
        authorization: isToken ? address.user.map { "Bearer \($0)" } : basic(address),
        room: topic,
        showsAuthority: !address.path.isEmpty
      )
    },
    body: { message, hook in
      struct Body: Encodable { let topic, title, message, click: String, attach: String? }
      let lines = [message.numberedTitle, message.altText(for: hook)].compactMap(\.self)
      return try json(
        Body(
          topic: hook.target.room,
          title: message.heading,
          message: lines.joined(separator: "\n"),
          click: message.link,
          attach: message.picture
        )
      )
    },
    acknowledges: { $0.id != nil }
  )

  /// As https://discord.com/developers/docs/resources/webhook#execute-webhook describes.
  ///
  /// Without `wait`, Discord answers 204 also to what it then drops.
  static let discord = HookService(
    name: "Discord",
    spelling: "discord://ID/TOKEN",
    schemes: ["discord"],
    target: { address in
      guard address.path.count == 1, address.authority.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        address.path[0].isToken()
      else { return nil }
      return HookTarget(
        url: "https://discord.com/api/webhooks/\(address.authority)/\(address.path[0])?wait=true",
        sender: address.user
      )
    },
    body: { message, hook in
      struct Picture: Encodable { let url: String }
      struct Embed: Encodable { let title, url: String, description: String?, image: Picture? }
      struct Mentions: Encodable { let parse: [String] }
      struct Body: Encodable {
        let content: String, username: String?, embeds: [Embed]
        let allowedMentions = Mentions(parse: [])
      }
      let embed = Embed(
        title: message.numberedTitle,
        url: message.link,
        description: message.altText(for: hook),
        image: message.picture.map { Picture(url: $0) }
      )
      return try json(Body(content: message.heading, username: hook.target.sender, embeds: [embed]))
    }
  )

  /// As https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks describes.
  static let slack = HookService(
    name: "Slack",
    spelling: "slack://TOKEN_A/TOKEN_B/TOKEN_C",
    schemes: ["slack"],
    target: { address in
      let tokens = [address.authority] + address.path
      guard tokens.count == 3, tokens.allSatisfy({ $0.isToken() }) else { return nil }
      return HookTarget(
        url: "https://hooks.slack.com/services/\(tokens.joined(separator: "/"))",
        sender: address.user
      )
    },
    body: attachment
  )

  /// As https://developers.mattermost.com/integrate/webhooks/incoming/ describes.
  static let mattermost = HookService(
    name: "Mattermost",
    spelling: "mmosts://HOST/TOKEN",
    schemes: ["mmost", "mmosts"],
    target: { address in
      let isSecure = address.scheme == "mmosts"
      guard let token = address.path.last, token.isToken(),
        let host = address.host(port: isSecure ? nil : 8065)
      else { return nil }
      let folder = address.path.dropLast().map { $0.asPathPart + "/" }.joined()
      return HookTarget(
        url: "\(isSecure ? "https" : "http")://\(host)/\(folder)hooks/\(token)",
        room: address.query["channel"] ?? address.query["to"] ?? "",
        sender: address.user,
        showsAuthority: true
      )
    },
    body: attachment
  )

  /// An attachment of Slack's, which Mattermost takes, too.
  ///
  /// It has a picture that need not load. A block with one that doesn't would be refused with the whole message.
  private static let attachment: @Sendable (HookMessage, Hook) throws -> [UInt8] = { message, hook in
    struct Attachment: Encodable { let fallback, title, titleLink: String, text, imageUrl: String? }
    struct Body: Encodable { let text: String, username, channel: String?, attachments: [Attachment] }
    func escaped(_ text: String) -> String {
      text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
        .replacingOccurrences(of: ">", with: "&gt;")
    }
    let title = escaped(message.numberedTitle)
    let attachment = Attachment(
      fallback: "\(title) \(message.link)",
      title: title,
      titleLink: message.link,
      text: message.altText(for: hook).map { escaped($0) },
      imageUrl: message.picture
    )
    let room = hook.target.room
    return try json(
      Body(
        text: message.heading,
        username: hook.target.sender,
        channel: room.isEmpty ? nil : room,
        attachments: [attachment]
      )
    )
  }

  /// As https://core.telegram.org/bots/api#sendmessage describes.
  ///
  /// The picture is a preview, which need not load; `sendPhoto` refuses wide and tall pictures, and the message with them.
  static let telegram = HookService(
    name: "Telegram",
    spelling: "tgram://TOKEN/CHAT",
    schemes: ["tgram", "telegram"],
    target: { address in
      var (token, chat) = (address.authority, address.path.first ?? "")
      if address.scheme == "telegram", let user = address.user {
        guard address.path.isEmpty else { return nil }
        (token, chat) = ("\(user):\(address.password ?? "")", address.authority)
      } else if address.path.count != 1 {
        return nil
      }
      let parts = token.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2, parts[0].utf8.allSatisfy({ (0x30...0x39).contains($0) }), !parts[0].isEmpty,
        String(parts[1]).isToken(), chat.isToken(or: "@")
      else { return nil }
      return HookTarget(
        url: "https://api.telegram.org/bot\(token)/sendMessage",
        // A name of a channel begins with @; a number may be negative.
        room: chat.hasPrefix("@") || Int64(chat) != nil ? chat : "@\(chat)"
      )
    },
    body: { message, hook in
      struct Preview: Encodable { let url: String, preferLargeMedia = true, showAboveText = true }
      struct Body: Encodable {
        let chatId, text: String, linkPreviewOptions: Preview?
      }
      let lines = ["\(message.heading) \(message.numberedTitle)", message.link]
      let text = (lines + [message.altText(for: hook)].compactMap(\.self)).joined(separator: "\n")
      return try json(
        Body(
          chatId: hook.target.room,
          text: text,
          linkPreviewOptions: message.picture.map { Preview(url: $0) }
        )
      )
    },
    acknowledges: { $0.ok == true }
  )

  /// A program of the operator's, which gets JSON; documented in docs/hooks.md.
  static let plain = HookService(
    name: "JSON",
    spelling: "https://HOST/PATH",
    schemes: ["https", "http", "jsons", "json"],
    target: { address in
      guard let host = address.host() else { return nil }
      return HookTarget(
        url: "\(["https", "jsons"].contains(address.scheme) ? "https" : "http")://\(host)\(address.rest)",
        authorization: basic(address),
        showsAuthority: true
      )
    },
    body: { message, _ in message.json },
    isPlain: true
  )
}
