// Longbox
// SPDX-License-Identifier: MIT

// The notification settings of this device. The browser asks for permission only when the reader turns the switch on.

import { renewed, renewing } from "../shared/push-key.js"

/** @typedef {{ hidesSpoilers: boolean, quietHours?: { from: string, until: string } | null, timeZone: string }} Wishes */

const section = /** @type {HTMLElement} */ (document.querySelector("#news"))
/** @param {string} selector */
const part = (selector) => /** @type {HTMLElement} */ (section.querySelector(selector))
/** @param {string} selector */
const input = (selector) => /** @type {HTMLInputElement} */ (part(selector))
/** @param {string} sentence */
const say = (sentence) => { part("#notify-status").textContent = sentence }

/**
 * @param {string} id
 * @param {string} name
 * @param {string} hint
 */
const row = (id, name, hint) => `<div class="row"><div class="t"><label for="${id}">${name}</label>${hint}</div>
  <input type="checkbox" switch role="switch" id="${id}"${hint ? ` aria-describedby="${id}-status"` : ""}></div>`

function build() {
  section.innerHTML = `<h2>New comics</h2><div class="rows">
    ${row("notify", "Notify me of new comics", '<small id="notify-status" role="status"></small>')}
    <div id="notify-wishes" hidden>
      ${row("no-spoilers", "No spoilers", '<small id="no-spoilers-status">No title, and a blurred picture.</small>')}
      ${row("quiet", "Quiet hours", "")}
      <div class="row" id="quiet-times" hidden>
        <label>From <input type="time" id="quiet-from" value="22:00" required></label>
        <label>Until <input type="time" id="quiet-until" value="07:00" required></label></div></div></div>`
  section.hidden = false
}

/** A sentence that says why this browser can't show notifications, or an empty string. */
function obstacle() {
  if (!isSecureContext) return "Notifications need https. Ask the person who runs this server."
  const isStandalone = /** @type {{ standalone?: boolean }} */ (navigator).standalone
  if (isStandalone === false && !("PushManager" in window)) {
    return "On an iPhone or iPad, add Longbox to the Home Screen first."
  }
  if (!("PushManager" in window && "Notification" in window)) return "This browser can’t show notifications."
  return ""
}

const blocked = "Blocked for this site. Tap the icon left of the address to allow notifications, then try again."
const days = "Mondays, Wednesdays and Fridays"
/** Maximum wait for the browser's push service, in milliseconds. */
const timeout = 20_000
const unreachable = "The server can’t be reached. Try again when you are back online."

const { base = "" } = document.documentElement.dataset

/**
 * @param {"POST" | "DELETE"} method
 * @param {object} content
 */
async function request(method, content) {
  const response = await fetch(`${base}/api/push/subscriptions`, {
    method, headers: { "content-type": "application/json" }, body: JSON.stringify(content), // oxlint-disable-line unicorn/no-invalid-fetch-options
  }).catch(() => null)
  if (!response) throw new Error(unreachable)
  if (!response.ok) throw new Error((await response.json().catch(() => null))?.detail ?? "The server couldn’t do that. Try again in a moment.")
  return response.status === 204 ? null : response.json()
}

/**
 * Registers the subscription. Then shows its settings and whether notifications are on, unless the reader has used a
 * switch since.
 * @param {object} content
 * @param {() => boolean} isCurrent
 */
async function register(content, isCurrent) {
  const kept = /** @type {{ wishes: Wishes, isConfirmed: boolean, isInterrupted: boolean }} */ (await request("POST", content))
  if ("wishes" in content || isCurrent()) stored = kept.wishes
  if (!isCurrent()) {
    // It took too long, so the switches were put back.
    if (!section.ariaBusy && subscription) show(kept.wishes)
    return
  }
  show(kept.wishes)
  isInterrupted = kept.isInterrupted
  if (isInterrupted) {
    input("#notify").checked = false
    part("#notify-wishes").hidden = true
    say(interrupted)
    return
  }
  localStorage.setItem(wasOn, "yes")
  say(kept.isConfirmed ? "On for this device." : waiting)
}

/** @returns {Promise<string>} */
async function serverKey() {
  const response = await fetch(`${base}/api/push/key`).catch(() => null)
  if (response?.status === 404) throw new Error("This server sends no notifications.")
  if (!response?.ok) throw new Error(unreachable)
  return (await response.json()).publicKey
}

const interrupted = "Notifications were interrupted; turn on again."
/** In local storage while notifications are on, since a browser may drop the subscription, too. */
const wasOn = "longbox-notifies"
const waiting = "Your browser’s push service hasn’t answered yet. You get a notification once it works."
const noService = "Your browser can’t reach its push service. Try again later."

/** Asks the reader for permission, which may take any time. */
async function askPermission() {
  if (Notification.permission === "default") say("Your browser asks for permission now.")
  if ((await Notification.requestPermission()) === "granted") return
  throw new Error(Notification.permission === "denied" ? blocked : "Your browser was not allowed to show notifications.")
}

/**
 * @param {PushManager} manager
 * @returns {Promise<{ subscription: PushSubscription, replaces?: string }>}
 */
async function subscribe(manager) {
  say("Connecting to your browser’s push service …")
  const applicationServerKey = await serverKey()
  if (isInterrupted) return renewed(manager, applicationServerKey, navigator.locks, { always: true }).catch(() => { throw new Error(noService) })
  const made = await manager.subscribe({ userVisibleOnly: true, applicationServerKey }).catch((error) => {
    // A subscription with another key blocks a new one.
    if (error.name === "InvalidStateError") return null
    throw new Error(noService)
  })
  return made ? { subscription: made } : renewed(manager, applicationServerKey, navigator.locks)
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
/** Whether its push service rejects the server's key. */
let isInterrupted = false
/** The wishes that the server has, if known. @type {Wishes | null} */
let stored = null
/** The sending of the last change of wishes. */
let sending = Promise.resolve()
/** Counts the changes of wishes: of those that wait, only the last one is sent. */
let wished = 0

/** Counts the uses of the switches: only the last one shows its result. */
let uses = 0

/**
 * Runs a switch's action. If it fails or takes too long, shows the reason and puts the switches back.
 * @param {(isCurrent: () => boolean) => Promise<void>} step
 * @param {() => Promise<void>} [ask] asks the reader before the step, and may take any time
 */
async function attempt(step, ask = async () => {}) {
  uses += 1
  const mine = uses
  const isCurrent = () => mine === uses
  section.ariaBusy = "true"
  try {
    await ask()
    if (!isCurrent()) return
    await Promise.race([step(isCurrent), new Promise((_, reject) => { setTimeout(() => reject(new Error(noService)), timeout) })])
  } catch (error) {
    if (!isCurrent()) return
    // Makes `isCurrent` false, so that a late result of this step is undone.
    uses += 1
    say(error instanceof Error ? error.message : String(error))
    input("#notify").checked = subscription !== null
    if (subscription && stored) show(stored)
  } finally {
    if (mine === uses || mine === uses - 1) section.ariaBusy = null
  }
}

/**
 * @param {PushManager} manager
 * @param {() => boolean} isCurrent
 */
async function switchOn(manager, isCurrent) {
  try {
    const { subscription: made, replaces } = await subscribe(manager)
    // A known subscription has stored settings, which this page may not show yet.
    const isKnown = Boolean(replaces) || made.endpoint === subscription?.endpoint
    if (isCurrent()) await register({ ...made.toJSON(), replaces, wishes: isKnown ? undefined : wishes() }, isCurrent)
    if (isCurrent()) subscription = made
  } finally {
    // The step failed, or the reader has switched notifications off again. If they are switched on once more, keep the
    // subscription, since a browser has only one.
    if (!subscription && (isCurrent() || !input("#notify").checked)) await (await manager.getSubscription())?.unsubscribe()
  }
}

async function switchOff() {
  localStorage.removeItem(wasOn)
  if (!subscription) return say(days)
  const { endpoint } = subscription.toJSON()
  await subscription.unsubscribe()
  subscription = null
  show(null)
  say(days)
  // If this fails, the server notices when it sends its next message.
  await request("DELETE", { endpoint }).catch(() => {})
}

/** @param {() => boolean} isCurrent */
async function changeWishes(isCurrent) {
  part("#quiet-times").hidden = !input("#quiet").checked
  if (!input("#quiet-from").value || !input("#quiet-until").value) return
  const change = { ...subscription?.toJSON(), wishes: wishes() }
  // One after another, since the server keeps what arrives last.
  wished += 1
  const mine = wished
  const sent = sending.then(async () => { if (mine === wished && subscription) await register(change, isCurrent) })
  sending = sent.catch(() => {})
  await sent
  if (isCurrent()) say("Saved.")
}

/** @param {import("./services.d.ts").Services} services */
export async function startNotifications({ refused }) {
  build()
  const why = obstacle()
  say(why || days)
  if (why) {
    input("#notify").disabled = true
    return
  }
  if (Notification.permission === "denied") say(blocked)
  refused.then(() => {
    say("Notifications need a certificate that this browser trusts.")
    input("#notify").disabled = true
  })
  const opening = openManager()
  input("#notify").addEventListener("change", () => input("#notify").checked
    ? attempt(async (isCurrent) => switchOn(await opening, isCurrent), askPermission)
    : attempt(() => opening.then(switchOff)))
  part("#notify-wishes").addEventListener("change", () => attempt(changeWishes))
  await opening
  const known = subscription
  // Sent on each visit, since the server may have lost it; the response has the stored settings. Not if the reader has
  // used the switch in the meantime, which has sent the subscription or ended it.
  if (known && uses === 0) await attempt(async (isCurrent) => resume(await opening, isCurrent))
  else if (!known && uses === 0 && Notification.permission === "granted" && localStorage.getItem(wasOn)) say(interrupted)
}

/**
 * Registers the subscription that this device has, made again if the server has another key by now.
 * @param {PushManager} manager
 * @param {() => boolean} isCurrent
 */
async function resume(manager, isCurrent) {
  const publicKey = await serverKey()
  const { subscription: made, replaces } = await renewed(manager, publicKey, navigator.locks).catch(async () => {
    subscription = await manager.getSubscription()
    throw new Error(subscription ? noService : interrupted)
  })
  subscription = made
  await register({ ...made.toJSON(), replaces }, isCurrent)
}

/** The browser's push service, with this device's subscription, if there is one. */
async function openManager() {
  const { pushManager } = await navigator.serviceWorker.ready
  // While the worker subscribes again, there is none.
  subscription = await renewing(navigator.locks, () => pushManager.getSubscription())
  return pushManager
}
