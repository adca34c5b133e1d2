// Longbox
// SPDX-License-Identifier: MIT

// What Swift has, too: operations, needs, states, and the fields of messages. A Swift test (`WebContractTests`) compares them;
// docs/device.md describes the messages.

/** The numbers of `Operation` in Swift. */
const Operation = Object.freeze({
  open: 1, add: 2, begin: 3, load: 4, save: 5, respond: 6, request: 7, receive: 8, facts: 9, pictures: 10, explanations: 11, readAmong: 12,
})

/** In the order of their numbers. */
export const needKinds = /** @type {const} */ ([
  "latest", "comic", "picture", "explanationLead", "explanation", "search", "artists", "discography", "album", "quizAlbum",
  "storedAlbum", "server", "explanationText", "storedComics",
])
const states = /** @type {const} */ (["value", "absent", "unreachable"])
/** @typedef {typeof outcomes[number]} SyncProgress */
const outcomes = /** @type {const} */ (["settled", "again", "ignored", "diverged"])
const pictureSelections = /** @type {const} */ (["latest", "favorites", "everything"])

/** @typedef {typeof needKinds[number]} NeedKind */
/** @typedef {{ kind: NeedKind, key: string }} Need data that the module needs for a response */
/**
 * The result for a need: a value, in UTF-8 or as the need defines it; "absent" if the source has none; "unreachable" if
 * it can't be loaded now.
 * @typedef {{ state: "value", value: Uint8Array | string } | { state: "absent" } | { state: "unreachable" }} Loaded
 */
/**
 * @typedef {object} DeviceRequest a request for a page, or a submitted form
 * @property {string} path
 * @property {string} [query]
 * @property {string | Uint8Array | null} [form] as it was sent; one with a file in bytes
 * @property {boolean} [isPrefetch]
 */
/** @typedef {DeviceRequest & { isOffline: boolean, loaded: readonly { need: Need, loaded: Loaded }[] }} Round a request with all needs loaded so far */
/**
 * @typedef {object} DeviceResponse
 * @property {number} status
 * @property {boolean} isLibraryChanged
 * @property {boolean} serverMayKnowMore whether the server may have a better response
 * @property {boolean} isFile whether the body is the library's file, and not a page
 * @property {number} viewed the comic that the page shows, or 0
 * @property {string} location the redirect's target, or empty; a path is without the base path
 * @property {Uint8Array<ArrayBuffer>} body
 */
/** @typedef {{ needs: Need[] } | { needs: null, response: DeviceResponse }} Reply */
/**
 * @typedef {object} Facts
 * @property {number} latest the number of the latest comic
 * @property {boolean} isSampleBox
 * @property {boolean} isDueForSync
 * @property {boolean} keepsComics
 * @property {number[]} favorites
 * @property {string[]} albums the addresses of saved albums
 */
/** @typedef {{ comic: number, version: number, size: number, year: number }} Picture its year is 0 if unknown */

const random64 = () => crypto.getRandomValues(new BigUint64Array(1))[0] ?? 0n

/** Thrown if the stored archive can't be opened, or there is none. */
export class DamagedArchive extends Error {}

/** The archive, library and pages, run in WebAssembly. */
export class Device {
  #core
  /** The serial of the stored library that this device was loaded from. */
  serial = 0

  /** @param {Pick<Core, "perform">} core */
  constructor(core) {
    this.#core = core
  }

  /** @param {WebAssembly.Module} module */
  static async start(module) {
    return new Device(await Core.start(module))
  }

  /**
   * Opens the archive: a whole segment and its deltas.
   * @param {ArrayBuffer[]} segments
   */
  open(segments) {
    if (segments.length === 0) throw new DamagedArchive()
    segments.forEach((segment, index) => {
      const operation = index === 0 ? Operation.open : Operation.add
      if (!this.#core.perform(operation, new Uint8Array(segment))) throw new DamagedArchive()
    })
  }

  /**
   * Loads a stored library. Creates an empty one if there is none or it can't be read.
   * @param {{ bytes: Uint8Array, serial: number } | undefined} library
   * @returns {boolean} false if there was a library but it could not be read
   */
  load(library) {
    this.serial = library?.serial ?? 0
    if (library && this.#core.perform(Operation.load, library.bytes)) return true
    this.#perform(Operation.begin, new MessageWriter().word64(random64()).message)
    return library === undefined
  }

  save() { return this.#perform(Operation.save) }

  /**
   * @param {ArrayBuffer[]} segments
   * @returns {boolean} whether the index could be read
   */
  explain(segments) {
    return segments.every((segment) => this.#core.perform(Operation.explanations, new Uint8Array(segment)) !== null)
  }

  /**
   * Responds to a request, or returns what it needs for the response.
   * @param {Round} round
   * @param {Pick<Build, "assets" | "version" | "base" | "shared" | "copy">} build
   * @returns {Reply}
   */
  respond({ path, query = "", form = null, isOffline, isPrefetch = false, loaded }, { assets, version, base, shared = "", copy }) {
    const message = new MessageWriter()
      .byte((form === null ? 0 : 1) | (isOffline ? 2 : 0) | (isPrefetch ? 4 : 0) | (copy ? 8 | (copy.pictures << 4) : 0))
      .word64(random64()).word64(Date.now())
      .text(path).text(query).text(form ?? "").text(assets).text(version).text(base).text(shared)
      .word32(loaded.length)
    for (const { need, loaded: { state, ...rest } } of loaded) {
      message.byte(needKinds.indexOf(need.kind)).text(need.key).byte(states.indexOf(state))
      message.text("value" in rest ? rest.value : "")
    }
    return readReply(this.#perform(Operation.respond, message.message))
  }

  request() { return this.#perform(Operation.request, new MessageWriter().word64(random64()).message) }

  /**
   * Merges the server's reply to `POST /sync`.
   * @param {Uint8Array} reply
   */
  receive(reply) {
    const message = new MessageWriter().word64(Date.now()).bytes(reply).message
    const [code = 0, isChanged] = this.#perform(Operation.receive, message)
    const progress = outcomes[code] ?? "settled"
    return { progress, isChanged: isChanged === 1 }
  }

  /** @returns {Facts} */
  get facts() {
    const reader = new MessageReader(this.#perform(Operation.facts))
    // Nothing here needs the archive's revision, base, rules and number of comics.
    reader.bytes(4 * 4)
    return {
      latest: reader.word32(),
      isSampleBox: reader.byte() === 1,
      isDueForSync: reader.byte() === 1,
      keepsComics: reader.byte() === 1,
      favorites: reader.list(() => reader.word32()),
      albums: reader.list(() => reader.text()),
    }
  }

  /**
   * @param {import("../shared/messages.js").PictureSelection} selection
   * @returns {Picture[]}
   */
  pictures(selection) {
    const year = Number(/^year-(\d+)$/.exec(selection)?.[1] ?? 0)
    const known = year > 0 ? "everything" : /** @type {typeof pictureSelections[number]} */ (selection)
    const reader = new MessageReader(this.#perform(Operation.pictures, Uint8Array.of(pictureSelections.indexOf(known))))
    const pictures = []
    while (!reader.isAtEnd) {
      pictures.push({ comic: reader.word32(), version: reader.word32(), size: reader.word32(), year: reader.word32() })
    }
    return year > 0 ? pictures.filter((picture) => picture.year === year) : pictures
  }

  /**
   * Those of some comics that are in the archive and marked as read.
   * @param {readonly number[]} comics
   */
  readAmong(comics) {
    const message = new MessageWriter()
    for (const comic of comics) message.word32(comic)
    const reader = new MessageReader(this.#perform(Operation.readAmong, message.message))
    const read = []
    while (!reader.isAtEnd) read.push(reader.word32())
    return read
  }

  /**
   * @param {number} operation
   * @param {Uint8Array} [message]
   */
  #perform(operation, message) {
    const reply = this.#core.perform(operation, message)
    if (!reply) throw new Error(`The module can't perform operation ${operation}.`)
    return reply
  }
}

/**
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @returns {Reply}
 */
export function readReply(bytes) {
  const reader = new MessageReader(bytes)
  if (reader.byte() === 0) {
    return { needs: reader.list(() => ({ kind: needKinds[reader.byte()] ?? "server", key: reader.text() })) }
  }
  const status = reader.word32()
  const flags = reader.byte()
  const response = {
    status,
    isLibraryChanged: (flags & 1) !== 0,
    serverMayKnowMore: (flags & 2) !== 0,
    isFile: (flags & 4) !== 0,
    viewed: reader.word32(),
    location: reader.text(),
    body: reader.bytes(),
  }
  return { needs: null, response }
}

/** @typedef {{ memory: WebAssembly.Memory, inbox(count: number): number, perform(operation: number): number, outbox(): number }} Exports */

/** An instance of longbox.wasm. Drop it after it has thrown: its memory can't be trusted. */
class Core {
  #exports

  /** @param {Exports} exports */
  constructor(exports) {
    this.#exports = exports
  }

  /** @param {WebAssembly.Module} module */
  static async start(module) {
    const { exports } = await WebAssembly.instantiate(module)
    return new Core(/** @type {Exports} */ (/** @type {unknown} */ (exports)))
  }

  /**
   * Performs one operation.
   * @param {number} operation
   * @param {Uint8Array} [message]
   * @returns {Uint8Array<ArrayBuffer> | null} the reply, or null if the operation failed
   */
  perform(operation, message = new Uint8Array()) {
    const { inbox, perform, outbox, memory } = this.#exports
    const start = inbox(message.length) >>> 0
    new Uint8Array(memory.buffer, start, message.length).set(message)
    const length = perform(operation)
    if (length < 0) return null
    // Copy: the memory may grow, and the next call reuses it.
    return new Uint8Array(memory.buffer, outbox() >>> 0, length).slice()
  }
}

// Messages to and from the WebAssembly module. Numbers are little-endian; a text is its length and its UTF-8 bytes.

const encoder = new TextEncoder()
const decoder = new TextDecoder()

export class MessageWriter {
  /** @type {Uint8Array[]} */
  #parts = []
  #length = 0

  /** @param {number} value */
  byte(value) { return this.bytes(Uint8Array.of(value)) }
  /** @param {number} value */
  word32(value) { return this.bytes(new Uint8Array(Uint32Array.of(value).buffer)) }
  /** @param {number | bigint} value */
  word64(value) { return this.bytes(new Uint8Array(BigUint64Array.of(BigInt(value)).buffer)) }
  /** @param {string | Uint8Array} text as bytes, in UTF-8 */
  text(text) {
    const bytes = typeof text === "string" ? encoder.encode(text) : text
    return this.word32(bytes.length).bytes(bytes)
  }

  /** @param {Uint8Array} bytes */
  bytes(bytes) {
    this.#parts.push(bytes)
    this.#length += bytes.length
    return this
  }

  get message() {
    const message = new Uint8Array(this.#length)
    let place = 0
    for (const part of this.#parts) {
      message.set(part, place)
      place += part.length
    }
    return message
  }
}

export class MessageReader {
  #view
  #place = 0

  /** @param {Uint8Array<ArrayBuffer>} bytes */
  constructor(bytes) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  }

  get isAtEnd() { return this.#place >= this.#view.byteLength }
  byte() { return this.#view.getUint8(this.#place++) }
  text() { return decoder.decode(this.bytes(this.word32())) }

  word32() {
    this.#place += 4
    return this.#view.getUint32(this.#place - 4, true)
  }

  bytes(count = this.#view.byteLength - this.#place) {
    this.#place += count
    return new Uint8Array(this.#view.buffer, this.#view.byteOffset + this.#place - count, count)
  }

  /**
   * Reads a count and that many items.
   * @template T
   * @param {() => T} item
   */
  list(item) { return Array.from({ length: this.word32() }, item) }
}
