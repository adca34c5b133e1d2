// Longbox
// SPDX-License-Identifier: MIT

import { MessageWriter } from "../../src/worker/device.js"

/** A WebAssembly core with a function per operation; records its calls. */
export function fakeCore(operations) {
  const calls = []
  return {
    calls,
    perform(operation, message = new Uint8Array()) {
      calls.push([operation, message])
      const step = operations[operation]
      return step ? step(message) : new Uint8Array()
    },
  }
}

export const needsReply = (...needs) => {
  const writer = new MessageWriter().byte(0).word32(needs.length)
  for (const [kind, key] of needs) writer.byte(kind).text(key)
  return writer.message
}

export const responseReply = ({ status = 200, flags = 0, viewed = 0, location = "", body = "" } = {}) =>
  new MessageWriter().byte(1).word32(status).byte(flags).word32(viewed).text(location).bytes(new TextEncoder().encode(body)).message

export const factsReply = ({ latest = 0, isSampleBox = 0, isDueForSync = 0, keepsComics = 0, favorites = [], albums = [] } = {}) => {
  const writer = new MessageWriter()
  for (const number of [7, 5, 3, 100, latest]) writer.word32(number)
  writer.byte(isSampleBox).byte(isDueForSync).byte(keepsComics).word32(favorites.length)
  for (const comic of favorites) writer.word32(comic)
  writer.word32(albums.length)
  for (const address of albums) writer.text(address)
  return writer.message
}

/** Open pages that record the messages sent to them. */
export function fakePages() {
  const messages = []
  return {
    messages,
    broadcast: async (message) => { messages.push(message) },
    noteFull: (error) => {
      if (error?.name !== "QuotaExceededError") throw error
      messages.push({ kind: "full" })
    },
  }
}

/** A connection with responses by path; other addresses can't be reached. */
export function fakeConnection(responses = {}, { isOnline = true, isConnected = isOnline } = {}) {
  const sent = []
  return {
    sent,
    isOnline,
    isConnected,
    isReached: isConnected,
    noteReached() {},
    async send(request, options) {
      const address = typeof request === "string" ? request : new URL(request.url).pathname
      sent.push(options?.method ? `${options.method} ${address}` : address)
      const response = responses[address] ?? responses[address.split("?")[0]]
      if (response === undefined) {
        this.isConnected = false
        throw new TypeError("There is no connection.")
      }
      return typeof response === "function" ? response(request, options) : response.clone()
    },
  }
}

export const quotaExceeded = () => new DOMException("There is no room.", "QuotaExceededError")

/** A segment with a valid header. */
export function fakeSegment({ revision = 1, base = 0, rules = 3, samples = 0 } = {}) {
  const view = new DataView(new ArrayBuffer(64))
  view.setUint32(0, 0x894c4258)
  view.setUint32(4, 0x0d0a1a0a)
  for (const [place, value] of [[24, revision], [28, base], [32, rules], [40, samples]]) view.setUint32(place, value, true)
  return view.buffer
}
