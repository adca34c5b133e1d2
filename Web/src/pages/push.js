// Longbox
// SPDX-License-Identifier: MIT

// The notification settings of this device. The browser asks for permission only when the reader turns the switch on.

/** @typedef {{ hidesSpoilers: boolean, quietHours?: { from: string, until: string } | null, timeZone: string }} Wishes */

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
/** @param {string} selector */
const part = (selector) => /** @type {HTMLElement} */ (section.querySelector(selector))
/** @param {string} selector */
const input = (selector) => /** @type {HTMLInputElement} */ (part(selector))
/** @param {string} sentence */
const say = (sentence) => { part("#notify-status").textContent = sentence }

/** A sentence that says why this browser can't show notifications, or an empty string. */
function obstacle() {
  if (!isSecureContext) return "Browsers take notifications only from sites with https. Ask the operator of this server for it."
  const isStandalone = /** @type {{ standalone?: boolean }} */ (navigator).standalone
  if (isStandalone === false && !("PushManager" in window)) {
    return "On an iPhone or iPad, add Longbox to the Home Screen first; then it can notify you."
  }
  if (!("PushManager" in window && "Notification" in window)) return "This browser takes no notifications."
  return ""
}

const blocked = "The browser blocks notifications of this site. Allow them in its settings for this site, which the sign beside "
  + "the address opens, and switch this on again."
const unreachable = "The server can’t be reached now. Try again when you are back online."

/**
 * @param {"POST" | "DELETE"} method
 * @param {object} content
 */
async function ask(method, content) {
  const response = await fetch("/api/push/subscriptions", {
    method, headers: { "content-type": "application/json" }, body: JSON.stringify(content), // oxlint-disable-line unicorn/no-invalid-fetch-options
  }).catch(() => null)
  if (!response) throw new Error(unreachable)
  if (!response.ok) throw new Error((await response.json().catch(() => null))?.detail ?? "The server did not take that.")
  return response.status === 204 ? null : response.json()
}

/** @param {object} content */
async function register(content) {
  show(/** @type {{ wishes: Wishes }} */ (await ask("POST", content)).wishes)
}

/** @returns {Promise<string>} */
async function serverKey() {
  const response = await fetch("/api/push/key").catch(() => null)
  if (response?.status === 404) throw new Error("This server sends no notifications.")
  if (!response?.ok) throw new Error(unreachable)
  return (await response.json()).publicKey
}

/** @param {PushManager} manager */
async function subscribe(manager) {
  if ((await Notification.requestPermission()) !== "granted") {
    throw new Error(Notification.permission === "denied" ? blocked : "Without your permission there are no notifications.")
  }
  const applicationServerKey = await serverKey()
  return manager.subscribe({ userVisibleOnly: true, applicationServerKey }).catch(async (error) => {
    // A subscription with another server's key blocks a new one.
    const other = error.name === "InvalidStateError" && (await manager.getSubscription())
    if (!other) throw new Error("The browser can’t reach its own service for notifications now. Try again later.")
    await other.unsubscribe()
    return manager.subscribe({ userVisibleOnly: true, applicationServerKey })
  })
}

/** @returns {Wishes} */
const wishes = () => ({
  hidesSpoilers: input("#no-spoilers").checked,
  quietHours: input("#quiet").checked ? { from: input("#quiet-from").value, until: input("#quiet-until").value } : null,
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone ?? "UTC",
})

/** @param {Wishes | null} kept */
function show(kept) {
  input("#notify").checked = kept !== null
  part("#notify-wishes").hidden = kept === null
  if (!kept) return
  input("#no-spoilers").checked = kept.hidesSpoilers
  input("#quiet").checked = Boolean(kept.quietHours)
  part("#quiet-times").hidden = !kept.quietHours
  if (!kept.quietHours) return
  input("#quiet-from").value = kept.quietHours.from
  input("#quiet-until").value = kept.quietHours.until
}

/** @type {PushSubscription | null} */
let subscription = null

/**
 * Runs a switch's action. If it fails, shows the reason and resets the switch.
 * @param {() => Promise<void>} step
 */
async function attempt(step) {
  input("#notify").disabled = true
  try {
    await step()
  } catch (error) {
    say(error instanceof Error ? error.message : String(error))
    input("#notify").checked = subscription !== null
  }
  input("#notify").disabled = false
}

/** @param {PushManager} manager */
async function switchOn(manager) {
  say("")
  const made = await subscribe(manager)
  await register({ ...made.toJSON(), wishes: wishes() })
  subscription = made
  say("This device will be notified of new comics.")
}

async function switchOff() {
  if (!subscription) return
  const { endpoint } = subscription.toJSON()
  await subscription.unsubscribe()
  subscription = null
  show(null)
  say("This device is no longer notified.")
  // If the server can't be reached, it finds out with its next message.
  await ask("DELETE", { endpoint }).catch(() => {})
}

async function changeWishes() {
  part("#quiet-times").hidden = !input("#quiet").checked
  if (!input("#quiet-from").value || !input("#quiet-until").value) return
  await register({ ...subscription?.toJSON(), wishes: wishes() })
  say("Kept.")
}

/** @param {Element} next the element to insert the settings before */
export async function startNotifications(next) {
  next.before(section)
  const why = obstacle()
  if (why) {
    input("#notify").disabled = true
    return say(why)
  }
  const manager = (await navigator.serviceWorker.ready).pushManager
  subscription = await manager.getSubscription()
  if (Notification.permission === "denied") say(blocked)
  // Sent again each time, since the server may have lost it; the response has the stored preferences.
  const known = subscription
  if (known) await attempt(() => register(known.toJSON()))
  input("#notify").addEventListener("change", () => attempt(() => input("#notify").checked ? switchOn(manager) : switchOff()))
  part("#notify-wishes").addEventListener("change", () => attempt(changeWishes))
}
