// Longbox
// SPDX-License-Identifier: MIT
//
// In the settings: whether this device is told of new comics, and how. settings.js loads it. The browser asks for permission when
// the switch is pressed, and never before.

const section = document.createElement("section")
section.setAttribute("aria-labelledby", "news-title")
section.innerHTML = `
  <h2 id="news-title">New comics</h2>
  <label class="switch"><input type="checkbox" role="switch" id="notify" aria-describedby="notify-status">
    <span>Notify me of new comics</span></label>
  <p class="hint" id="notify-status" role="status"></p>
  <div id="notify-wishes" hidden>
    <label class="switch"><input type="checkbox" role="switch" id="no-spoilers" aria-describedby="no-spoilers-hint">
      <span>No spoilers</span></label>
    <p class="hint" id="no-spoilers-hint">The notification then says no title, and its picture is blurred.</p>
    <label class="switch"><input type="checkbox" role="switch" id="quiet"><span>Quiet hours</span></label>
    <p class="ways-in" id="quiet-times" hidden>
      <label>From <input type="time" id="quiet-from" value="22:00" required></label>
      <label>Until <input type="time" id="quiet-until" value="07:00" required></label></p>
  </div>`
const part = (selector) => section.querySelector(selector)
const say = (sentence) => { part("#notify-status").textContent = sentence }

/** Why this browser can't be notified at all, in a sentence, or nothing. */
function obstacle() {
  if (!isSecureContext) return "Browsers take notifications only from sites with https. Ask whoever runs this server for it."
  if (navigator.standalone === false && !("PushManager" in window)) {
    return "On an iPhone or iPad, add Longbox to the Home Screen first; then it can notify you."
  }
  if (!("PushManager" in window && "Notification" in window)) return "This browser takes no notifications."
  return ""
}

const blocked = "The browser blocks notifications of this site. Allow them in its settings for this site, which the sign beside "
  + "the address opens, and switch this on again."

async function asked(method, content) {
  const response = await fetch("/api/push/subscriptions", {
    method, headers: { "content-type": "application/json" }, body: JSON.stringify(content),
  }).catch(() => null)
  if (!response) throw new Error("The server can’t be reached now. Try again when you are back online.")
  if (!response.ok) throw new Error((await response.json().catch(() => null))?.detail ?? "The server did not take that.")
  return response.status === 204 ? null : response.json()
}

async function serverKey() {
  const response = await fetch("/api/push/key").catch(() => null)
  if (response?.status === 404) throw new Error("This server sends no notifications.")
  if (!response?.ok) throw new Error("The server can’t be reached now. Try again when you are back online.")
  return (await response.json()).publicKey
}

async function subscribe(manager) {
  if ((await Notification.requestPermission()) !== "granted") {
    throw new Error(Notification.permission === "denied" ? blocked : "Without your permission there are no notifications.")
  }
  const applicationServerKey = await serverKey()
  return manager.subscribe({ userVisibleOnly: true, applicationServerKey }).catch(async (error) => {
    // One that is bound to another server's key stands in the way.
    const other = error.name === "InvalidStateError" && (await manager.getSubscription())
    if (!other) throw new Error("The browser can’t reach its own service for notifications now. Try again later.")
    await other.unsubscribe()
    return manager.subscribe({ userVisibleOnly: true, applicationServerKey })
  })
}

const timeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone ?? "UTC"
const wishes = () => ({
  hidesSpoilers: part("#no-spoilers").checked,
  quietHours: part("#quiet").checked ? { from: part("#quiet-from").value, until: part("#quiet-until").value } : null,
  timeZone: timeZone(),
})

function show(kept) {
  part("#notify").checked = kept !== null
  part("#notify-wishes").hidden = kept === null
  if (!kept) return
  part("#no-spoilers").checked = kept.hidesSpoilers
  part("#quiet").checked = Boolean(kept.quietHours)
  part("#quiet-times").hidden = !kept.quietHours
  if (!kept.quietHours) return
  part("#quiet-from").value = kept.quietHours.from
  part("#quiet-until").value = kept.quietHours.until
}

let subscription = null

/** Does what a switch asks for; where it fails, the reason is said and the switches show how things are. */
async function attempt(step) {
  part("#notify").disabled = true
  try {
    await step()
  } catch (error) {
    say(error.message)
    part("#notify").checked = subscription !== null
  }
  part("#notify").disabled = false
}

async function start() {
  document.querySelector("#on-this-device").before(section)
  const why = obstacle()
  if (why) {
    part("#notify").disabled = true
    return say(why)
  }
  const manager = (await navigator.serviceWorker.ready).pushManager
  subscription = await manager.getSubscription()
  if (Notification.permission === "denied") say(blocked)
  // Said again each time, for the server may have lost it; it answers with the wishes that it keeps.
  if (subscription) await attempt(async () => show((await asked("POST", subscription.toJSON())).wishes))

  part("#notify").addEventListener("change", ({ target }) => attempt(async () => {
    if (target.checked) {
      say("")
      const made = await subscribe(manager)
      show((await asked("POST", { ...made.toJSON(), wishes: wishes() })).wishes)
      subscription = made
      say("This device will be told when a comic comes out.")
    } else {
      const { endpoint } = subscription.toJSON()
      await subscription.unsubscribe()
      subscription = null
      show(null)
      say("This device is not told any more.")
      // Where the server can't be reached, it finds out when it next sends.
      await asked("DELETE", { endpoint }).catch(() => {})
    }
  }))
  part("#notify-wishes").addEventListener("change", () => attempt(async () => {
    part("#quiet-times").hidden = !part("#quiet").checked
    if (!part("#quiet-from").value || !part("#quiet-until").value) return
    show((await asked("POST", { ...subscription.toJSON(), wishes: wishes() })).wishes)
    say("Kept.")
  }))
}

start()
