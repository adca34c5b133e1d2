// Longbox
// SPDX-License-Identifier: MIT

// The quiz's script: accepts answers while typing, takes turns without a page load, shows the time, and lets tracks be
// dragged. The page works without it.

import { secondsOf, timeOf } from "./quiz-time.js"

/** @typedef {HTMLInputElement | HTMLButtonElement} Control */

const quiz = () => /** @type {HTMLElement} */ (document.querySelector(".quiz"))
const box = () => /** @type {HTMLInputElement | null} */ (quiz().querySelector("[name=guess]"))
const quizForm = () => /** @type {HTMLFormElement | null} */ (quiz().querySelector(".quiz-form"))
/** @param {Document} page */
const count = (page) => page.querySelector(".quiz-count")?.textContent

/** Sends the turns of a quiz one at a time, each based on the state that the previous one returned. */
class Turns {
  /** @type {Promise<void>} */
  #last = Promise.resolve()
  /** @type {() => void} */
  #onUnsent
  /** @type {import("./services.d.ts").Services["post"]} */
  #post

  /**
   * @param {import("./services.d.ts").Services["post"]} post
   * @param {() => void} onUnsent called if a turn could not be sent
   */
  constructor(post, onUnsent) {
    this.#post = post
    this.#onUnsent = onUnsent
  }

  /**
   * @param {() => FormData | null} makeFields called when the turn starts; null if there is nothing left to send
   * @param {(page: Document) => void} use receives the page of the response
   */
  take(makeFields, use) {
    this.#last = this.#last.then(() => this.#send(makeFields, use)).catch(() => this.#onUnsent())
  }

  /**
   * Runs a step after all turns so far.
   * @param {() => void} step
   */
  afterAll(step) {
    this.#last.then(step)
  }

  /**
   * @param {() => FormData | null} makeFields
   * @param {(page: Document) => void} use
   */
  async #send(makeFields, use) {
    const fields = makeFields()
    if (!fields) return
    const body = new URLSearchParams([...fields].map(([name, value]) => [name, String(value)]))
    const response = await this.#post(location.pathname + location.search, body).catch(() => null)
    const page = response && new DOMParser().parseFromString(await response.text(), "text/html")
    if (page?.querySelector(".quiz")) use(page)
    else this.#onUnsent()
  }
}

/** @type {import("./services.d.ts").Services} */
let services
const turns = new Turns((address, body) => services.post(address, body), sayUnsent)

function sayUnsent() {
  const text = "That couldn’t be sent. Check the connection and try again."
  const said = quiz().querySelector(".quiz-said")
  if (said) {
    said.textContent = text
    return
  }
  const status = quiz().querySelector("[role=status]")
  // The list of quizzes has none.
  if (!status) return services.say(text, { isError: true })
  let message = status.querySelector("span:not(.quiz-count)")
  if (!message) {
    message = document.createElement("span")
    status.append(" ", message)
  }
  message.textContent = text
}

/** @param {Element | null} element */
const isControl = (element) => element instanceof HTMLInputElement || element instanceof HTMLButtonElement

/**
 * Replaces the quiz with that of another page, and keeps the focus.
 * @param {Document} page
 */
function show(page) {
  const [next, heading] = [page.querySelector(".quiz"), page.querySelector("h1")]
  if (!next || !heading) return
  const focus = document.activeElement
  const caret = focus === box() ? box()?.selectionStart : null
  const typed = box()?.value
  const was = isControl(focus) && quiz().contains(focus) && focus.name ? { name: focus.name, value: focus.value, label: focus.ariaLabel } : null
  quiz().replaceWith(next)
  document.title = page.title
  document.querySelector("h1")?.replaceWith(heading)
  prepare()
  keepProgress()
  const result = /** @type {HTMLElement | null} */ (next.querySelector("h2:has(+ .quiz-tracks)"))
  if (result) return showResult(result)
  const all = /** @type {Control[]} */ ([...quiz().querySelectorAll("[name]:not([type=hidden], [disabled])")])
  ;((was && sameControl(all, was)) ?? box() ?? all[0])?.focus()
  // A new box has its caret at the start.
  const guess = box()
  const place = guess?.value === typed ? caret ?? guess?.value.length : guess?.value.length
  if (guess && place) guess.setSelectionRange(place, place)
}

/**
 * Scrolls to the result, which is above all tracks, and focuses it.
 * @param {HTMLElement} heading
 */
function showResult(heading) {
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
  scrollTo({ top: 0, behavior: "instant" })
}

/**
 * The control that corresponds to the one that had the focus.
 * @param {Control[]} all
 * @param {{ name: string, value: string, label: string | null }} was
 */
function sameControl(all, was) {
  /** @param {string | undefined | null} label */
  const labelled = (label) => all.find((one) => label && one.ariaLabel === label)
  return labelled(was.label)
    // A track at the end of the list can only move the other way.
    ?? labelled(was.label?.replace(/(up|down)$/, (way) => way === "up" ? "down" : "up"))
    ?? all.find((one) => one.name === was.name && one.value === was.value) ?? all.find((one) => one.name === was.name)
}

document.addEventListener("submit", (event) => {
  const form = event.target
  if (!(form instanceof HTMLFormElement) || !quiz().contains(form)) return
  event.preventDefault()
  const submitter = isControl(event.submitter) ? event.submitter : null
  if (submitter?.value === "give-up") askToGiveUp(() => send(form, submitter))
  else send(form, submitter)
})

/**
 * Sends a form. It is read when its turn starts, since the one shown then has the latest state.
 * @param {HTMLFormElement} form
 * @param {Control | null} submitter
 */
function send(form, submitter) {
  clearTimeout(rest)
  rest = 0
  const { name, value } = submitter ?? { name: "", value: "" }
  const guess = box()?.value ?? ""
  // Stays empty for the other buttons, which leave the text in the box.
  let sent = ""
  turns.take(() => {
    const current = form.isConnected ? form : quizForm()
    if (!current) return null
    const fields = new FormData(current)
    if (name) fields.set(name, value)
    else if (fields.has("guess")) {
      // While the turn waited, the reader may have typed more.
      const typed = String(fields.get("guess"))
      sent = typed.startsWith(guess) ? guess : typed
      fields.set("guess", sent)
    }
    return fields
  }, (page) => showAfter(page, sent))
}

/**
 * Asks before the quiz ends; Give up is beside other buttons.
 * @param {() => void} end
 */
async function askToGiveUp(end) {
  const { dialogButton, showDialog } = await import("./settings-dialogs.js")
  const sentence = document.createElement("p")
  sentence.textContent = "This ends the quiz and shows what is missing."
  showDialog("Give up?", [sentence], dialogButton("Give up", end))
}

/**
 * Replaces the quiz, and keeps the text typed since the guess was sent: it belongs to the next answer.
 * @param {Document} page
 * @param {string} sent
 */
function showAfter(page, sent) {
  const typed = box()?.value ?? ""
  const after = typed.startsWith(sent) ? typed.slice(sent.length).trimStart() : ""
  show(page)
  const next = box()
  if (!next || !after || next.value === after) return
  next.value = after
  checkWhileTyping()
}

// While typing

let rest = 0
let isChecking = false
let isStale = false

function checkWhileTyping() {
  if (!box()?.value.trim()) return
  if (isChecking) {
    isStale = true
    return
  }
  isChecking = true
  let sent = ""
  turns.take(() => {
    isChecking = false
    const guess = box()
    if (!guess?.value.trim() || !guess.form) return null
    sent = guess.value
    const fields = new FormData(guess.form)
    fields.set("typing", "1")
    return fields
  }, (page) => {
    if (count(page) !== count(document)) showAfter(page, sent)
  })
  turns.afterAll(() => {
    if (!isStale) return
    isStale = false
    checkWhileTyping()
  })
}

document.addEventListener("input", (event) => {
  if (event.target !== box() || (event instanceof InputEvent && event.isComposing)) return
  // Soon, not after a pause: the reader may type the next title right after the last letter of this one.
  rest ||= setTimeout(() => {
    rest = 0
    checkWhileTyping()
  }, 40)
})
document.addEventListener("compositionend", (event) => {
  if (event.target === box()) checkWhileTyping()
})

// The time

let begun = 0
let shown = 0

function tick() {
  const timer = quiz().querySelector("[role=timer]")
  if (timer && quiz().querySelector("[value=give-up]")) timer.textContent = timeOf(shown + Math.floor((performance.now() - begun) / 1000))
}
setInterval(tick, 1000)

/**
 * @param {number} from
 * @param {number} to
 */
function moveTrack(from, to) {
  turns.take(() => {
    const form = quizForm()
    if (!form) return null
    const fields = new FormData(form)
    fields.set("from", String(from))
    fields.set("to", String(to))
    return fields
  }, show)
}

// In progress

const progressName = "quiz"
const address = () => location.pathname + location.search
const state = () => /** @type {HTMLInputElement | null} */ (quizForm()?.querySelector("[name=state]") ?? null)?.value

/** The quiz in progress on this page's album, which a reload or another page of this tab has interrupted. */
function interrupted() {
  const kept = JSON.parse(services.tab.getItem(progressName) ?? "null")
  return kept?.address === address() ? /** @type {{ state: string }} */ (kept).state : null
}

function keepProgress() {
  const now = state()
  if (now) services.tab.setItem(progressName, JSON.stringify({ address: address(), state: now }))
  else if (interrupted()) services.tab.removeItem(progressName)
}

/** Goes on with an interrupted quiz. */
function goOn() {
  const kept = state() ? null : interrupted()
  if (!kept) return
  const fields = new FormData()
  fields.set("state", kept)
  turns.take(() => (state() ? null : fields), show)
}

function prepare() {
  begun = performance.now()
  shown = secondsOf(quiz().querySelector("[role=timer]")?.textContent ?? "0")
  const list = quiz().querySelector(".quiz-tracks")
  if (list?.querySelector("[name=up]")) makeDraggable(list, moveTrack)
}

/** @param {import("./services.d.ts").Services} given */
export function start(given) {
  services = given
  prepare()
  if (state()) keepProgress()
  else goOn()
}

/**
 * Makes the tracks of a quiz draggable.
 * @param {Element} list
 * @param {(from: number, to: number) => void} onMoved
 */
function makeDraggable(list, onMoved) {
  for (const item of list.children) {
    const grip = document.createElement("span")
    grip.className = "grip"
    grip.ariaHidden = "true"
    grip.textContent = "⠿"
    item.querySelector(".quiz-row")?.append(grip)
    grip.addEventListener("pointerdown", (event) => drag(event, list, item, onMoved))
  }
}

/**
 * @param {PointerEvent} event
 * @param {Element} list
 * @param {Element} item
 * @param {(from: number, to: number) => void} onMoved
 */
function drag(event, list, item, onMoved) {
  if (event.button !== 0) return
  event.preventDefault()
  const from = [...list.children].indexOf(item)
  item.classList.add("dragged")
  /** @param {PointerEvent} event */
  const move = ({ clientY }) => {
    const other = [...list.children].find((one) => {
      const { top, bottom } = one.getBoundingClientRect()
      return one !== item && clientY > top && clientY < bottom
    })
    if (!other) return
    if (item.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) other.after(item)
    else other.before(item)
  }
  /** @param {PointerEvent} event */
  const end = ({ type }) => {
    document.removeEventListener("pointermove", move)
    document.removeEventListener("pointerup", end)
    document.removeEventListener("pointercancel", end)
    item.classList.remove("dragged")
    const to = [...list.children].indexOf(item)
    if (type === "pointerup" && to !== from) onMoved(from, to)
  }
  // Not on the grip: an element that moves within the page loses pointer capture.
  document.addEventListener("pointermove", move)
  document.addEventListener("pointerup", end)
  document.addEventListener("pointercancel", end)
}
