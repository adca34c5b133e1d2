// Longbox
// SPDX-License-Identifier: MIT
//
// The pages, the archive and the library in WebAssembly, and how to talk with them; docs/device.md describes the
// messages. The server puts this file before sw.js.

const Operation = {
  open: 1, add: 2, begin: 3, load: 4, save: 5, respond: 6, request: 7, receive: 8, facts: 9, pictures: 10,
}

/** Writes numbers in little-endian order, and texts after their length. */
class MessageWriter {
  #parts = []

  byte(value) { return this.bytes(Uint8Array.of(value)) }
  word32(value) { return this.bytes(new Uint8Array(Uint32Array.of(value).buffer)) }
  word64(value) { return this.bytes(new Uint8Array(BigUint64Array.of(BigInt(value)).buffer)) }

  bytes(bytes) {
    this.#parts.push(bytes)
    return this
  }

  text(text) {
    const bytes = new TextEncoder().encode(text)
    return this.word32(bytes.length).bytes(bytes)
  }

  get message() {
    const message = new Uint8Array(this.#parts.reduce((size, part) => size + part.length, 0))
    let place = 0
    for (const part of this.#parts) {
      message.set(part, place)
      place += part.length
    }
    return message
  }
}

class MessageReader {
  #view
  #place = 0

  constructor(bytes) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  }

  get isAtEnd() { return this.#place >= this.#view.byteLength }
  byte() { return this.#view.getUint8(this.#place++) }

  word32() {
    this.#place += 4
    return this.#view.getUint32(this.#place - 4, true)
  }

  bytes(count = this.#view.byteLength - this.#place) {
    this.#place += count
    return new Uint8Array(this.#view.buffer, this.#view.byteOffset + this.#place - count, count)
  }
}

const random64 = () => crypto.getRandomValues(new BigUint64Array(1))[0]

/** Whether bytes begin as a segment does; the page of some proxy does not. */
function isSegment(bytes) {
  const view = new DataView(bytes)
  return view.byteLength >= 64 && view.getUint32(0) === 0x894c4258 && view.getUint32(4) === 0x0d0a1a0a
}

/** What stands at the beginning of a segment. */
function heading(segment) {
  const view = new DataView(segment)
  return {
    revision: view.getUint32(24, true),
    base: view.getUint32(28, true),
    rules: view.getUint32(32, true),
    samples: view.getUint32(40, true) & 1,
  }
}

/** One instance of a WebAssembly module of ours. Where it throws, its memory can't be trusted any more: let it go. */
class Instance {
  #exports

  async start(module) {
    // It asks for nothing of its host.
    const instance = await WebAssembly.instantiate(module)
    this.#exports = instance.exports
  }

  /** Opens the archive; `open` and `add` are the same in all modules. */
  open(segments) {
    segments.forEach((segment, index) => {
      const opened = this.perform(index === 0 ? Operation.open : Operation.add, new Uint8Array(segment))
      if (!opened) throw new DamagedArchive()
    })
    if (segments.length === 0) throw new DamagedArchive()
  }

  /** Does one thing; gives the reply, or null where it can't be done. */
  perform(operation, message = new Uint8Array()) {
    const { allocate, perform, collect, release, memory } = this.#exports
    const start = allocate(message.length) >>> 0
    new Uint8Array(memory.buffer, start, message.length).set(message)
    const length = perform(operation, start, message.length)
    if (length < 0) return null
    const room = allocate(length) >>> 0
    collect(room)
    const reply = new Uint8Array(memory.buffer, room, length).slice()
    release(room)
    return reply
  }
}

/** Search: finder.wasm. */
class Finder extends Instance {
  find(question) {
    return this.perform(3, question)
  }

  /** Takes the index of explanations; false where it can't be read. */
  explain(segments) {
    return segments.every((segment) => this.perform(4, new Uint8Array(segment)) !== null)
  }
}

/** Pages, archive and library: longbox.wasm. */
class Device extends Instance {
  /** Which of the stored libraries this one was read from. */
  serial = 0

  static async started(module, segments, library) {
    const device = new Device()
    await device.start(module)
    device.open(segments)
    device.serial = library?.serial ?? 0
    if (library && !device.perform(Operation.load, library.bytes)) {
      // Not overwritten but put aside. What had been synced comes back from the server.
      await store.set("damaged-library", library.bytes)
    }
    if (!device.perform(Operation.facts)) {
      device.perform(Operation.begin, new MessageWriter().word64(random64()).message)
    }
    return device
  }

  /** Answers a page's request or a form. */
  respond({
    path, query = "", form = null, isOffline, isAhead = false, unavailable = [], found = null, shelved = [],
  }) {
    const question = new MessageWriter()
      .byte((form === null ? 0 : 1) | (isOffline ? 2 : 0) | (isAhead ? 4 : 0))
      .word64(random64()).word64(Date.now())
      .text(path).text(query).text(form ?? "").text(build.assets).text(build.version)
      .word32(unavailable.length)
    for (const number of unavailable) question.word32(number)
    question.word32(found?.length ?? 0).bytes(found ?? new Uint8Array())
    question.word32(shelved.length)
    for (const { comic, beginning } of shelved) question.word32(comic).text(beginning)
    const bytes = this.perform(Operation.respond, question.message)
    if (!bytes) throw new Error("The device could not read the request.")
    const reader = new MessageReader(bytes)
    const status = reader.word32()
    const flags = reader.byte()
    const needs = Array.from({ length: reader.word32() }, () => {
      const kind = ["latest", "comic", "picture", "search", "explanation"][reader.byte()]
      const number = reader.word32()
      return kind === "search" ? { kind, question: reader.bytes(number).slice() } : { kind, comic: number }
    })
    const location = new TextDecoder().decode(reader.bytes(reader.word32()))
    return {
      status, needs, location, body: reader.bytes(), isLibraryChanged: (flags & 1) !== 0, isUnknownHere: (flags & 2) !== 0,
    }
  }

  get facts() {
    const reader = new MessageReader(this.perform(Operation.facts))
    reader.bytes(16)
    reader.byte()
    return {
      hasUnsentEdits: reader.byte() === 1,
      keepsComics: reader.byte() === 1,
      favorites: Array.from({ length: reader.word32() }, () => reader.word32()),
      albums: Array.from({ length: reader.word32() }, () => new TextDecoder().decode(reader.bytes(reader.word32()))),
    }
  }

  /** The pictures of the "latest", of "favorites" or of "everything". */
  pictures(selection) {
    const choice = ["latest", "favorites", "everything"].indexOf(selection)
    const reader = new MessageReader(this.perform(Operation.pictures, Uint8Array.of(choice)))
    const pictures = []
    while (!reader.isAtEnd) {
      pictures.push({ comic: reader.word32(), version: reader.word32(), size: reader.word32() })
    }
    return pictures
  }
}

/** What is stored of the archive can't be opened, or there is nothing. */
class DamagedArchive extends Error {}
