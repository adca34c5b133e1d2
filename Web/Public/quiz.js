// Longbox
// SPDX-License-Identifier: MIT
//
// What a quiz does where scripts run: an answer is taken while it is typed, turns come without a new page, the time goes on,
// and tracks are dragged. app.js loads it where there is a quiz. The page works without it.

const quiz = () => document.querySelector(".quiz")
const box = () => quiz().querySelector("[name=guess]")
const count = (page) => page?.querySelector(".quiz-count")?.textContent

// Turns. One at a time: each goes on from the state that the one before has brought.

let turns = Promise.resolve()

function turn(makeFields, use) {
  turns = turns.then(async () => {
    const fields = makeFields()
    if (!fields) return
    const body = new URLSearchParams(fields)
    const headers = { accept: "text/html" }
    const response = await fetch(location.pathname + location.search, { method: "POST", body, headers }).catch(() => null)
    const page = response && new DOMParser().parseFromString(await response.text(), "text/html")
    if (page?.querySelector(".quiz")) use(page)
    else sayUnsent()
  }).catch(sayUnsent)
}

function sayUnsent() {
  const status = quiz()?.querySelector("[role=status]")
  if (!status) return
  let message = status.querySelector("span:not(.quiz-count)")
  if (!message) {
    message = document.createElement("span")
    status.append(" ", message)
  }
  message.textContent = "That could not be sent. Check the connection, and try again."
}

/** Puts a page's quiz in the place of this one, and the focus where it was. */
function show(page) {
  const focus = document.activeElement
  const was = quiz().contains(focus) && focus.name ? { name: focus.name, value: focus.value, label: focus.ariaLabel } : null
  const isEnded = box() && !page.querySelector("[name=guess]")
  quiz().replaceWith(page.querySelector(".quiz"))
  document.title = page.title
  document.querySelector("h1").replaceWith(page.querySelector("h1"))
  start()
  const all = [...quiz().querySelectorAll("[name]:not([type=hidden], [disabled])")]
  const labelled = (label) => all.find((one) => label && one.ariaLabel === label)
  const same = was && (labelled(was.label)
    // A track that can go no further goes back.
    ?? labelled(was.label?.replace(/(up|down)$/, (way) => way === "up" ? "down" : "up"))
    ?? all.find((one) => one.name === was.name && one.value === was.value) ?? all.find((one) => one.name === was.name))
  if (isEnded) quiz().querySelector("h2")?.scrollIntoView({ block: "nearest" })
  ;(same ?? box() ?? all[0])?.focus()
}

document.addEventListener("submit", (event) => {
  const form = event.target
  if (!quiz()?.contains(form)) return
  event.preventDefault()
  clearTimeout(rest)
  rest = 0
  // The form is read when its turn comes: the one that stands then has the latest state.
  const { name, value } = event.submitter ?? {}
  turn(() => {
    const current = form.isConnected ? form : quiz().querySelector(".quiz-form")
    if (!current) return null
    const fields = new FormData(current)
    if (name) fields.set(name, value)
    return fields
  }, show)
})

// While typing

let rest = 0
let isAsking = false
let isStale = false

function askWhileTyping() {
  if (!box()?.value.trim()) return
  if (isAsking) {
    isStale = true
    return
  }
  isAsking = true
  let sent = ""
  turn(() => {
    isAsking = false
    if (!box()?.value.trim()) return null
    sent = box().value
    const fields = new FormData(box().form)
    fields.set("typing", "1")
    return fields
  }, (page) => {
    if (count(page) === count(document)) return
    // What was typed after it belongs to the next answer.
    const typed = box().value
    const after = typed.startsWith(sent) ? typed.slice(sent.length).trimStart() : ""
    show(page)
    if (box() && after) {
      box().value = after
      askWhileTyping()
    }
  })
  turns.then(() => {
    if (!isStale) return
    isStale = false
    askWhileTyping()
  })
}

document.addEventListener("input", (event) => {
  if (event.target !== box() || event.isComposing) return
  // Soon, and not only once the reader rests: the letter that makes a title right may be followed by the next title.
  rest ||= setTimeout(() => {
    rest = 0
    askWhileTyping()
  }, 40)
})
document.addEventListener("compositionend", (event) => {
  if (event.target === box()) askWhileTyping()
})

// The time

let begun = 0
let shown = 0

function tick() {
  const timer = quiz()?.querySelector("[role=timer]")
  if (!timer || !quiz().querySelector("[value=give-up]")) return
  const seconds = shown + Math.floor((performance.now() - begun) / 1000)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const two = (number) => String(number).padStart(2, "0")
  timer.textContent = `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`
}
setInterval(tick, 1000)

// Dragging

function makeDraggable(list) {
  for (const item of list.children) {
    const grip = document.createElement("span")
    grip.className = "grip"
    grip.ariaHidden = "true"
    grip.textContent = "⠿"
    item.querySelector(".quiz-row").append(grip)
    grip.addEventListener("pointerdown", (event) => drag(event, list, item))
  }
}

function drag(event, list, item) {
  if (event.button !== 0) return
  event.preventDefault()
  const from = [...list.children].indexOf(item)
  item.classList.add("dragged")
  const move = ({ clientY }) => {
    const other = [...list.children].find((one) => {
      const { top, bottom } = one.getBoundingClientRect()
      return one !== item && clientY > top && clientY < bottom
    })
    if (!other) return
    const isBelow = item.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING
    if (isBelow) other.after(item)
    else other.before(item)
  }
  const end = ({ type }) => {
    document.removeEventListener("pointermove", move)
    document.removeEventListener("pointerup", end)
    document.removeEventListener("pointercancel", end)
    item.classList.remove("dragged")
    const to = [...list.children].indexOf(item)
    if (type !== "pointerup" || to === from) return
    turn(() => {
      const form = quiz().querySelector(".quiz-form")
      // The quiz has ended meanwhile.
      if (!form) return null
      const fields = new FormData(form)
      fields.set("from", from)
      fields.set("to", to)
      return fields
    }, show)
  }
  // Not on the grip: an element that is moved within the page loses the pointer.
  document.addEventListener("pointermove", move)
  document.addEventListener("pointerup", end)
  document.addEventListener("pointercancel", end)
}

/** What a quiz that has just come needs. */
function start() {
  begun = performance.now()
  const parts = (quiz().querySelector("[role=timer]")?.textContent ?? "0").split(":").map(Number)
  shown = parts.reduce((sum, part) => sum * 60 + part, 0)
  const list = quiz().querySelector(".quiz-tracks")
  if (list?.querySelector("[name=up]")) makeDraggable(list)
}

start()
