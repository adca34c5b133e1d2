// Longbox
// SPDX-License-Identifier: MIT

// A subscription to notifications is bound to the key that the server had. With another key, such as after a restore, push
// services reject all its messages, so the browser has to subscribe again.

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

/** @param {Uint8Array} bytes in base64url without padding */
function base64url(bytes) {
  let text = ""
  for (let place = 0; place < bytes.length; place += 3) {
    const [first, second = 0, third = 0] = bytes.subarray(place, place + 3)
    const bits = (first << 16) | (second << 8) | third
    for (let part = 0; part < Math.min(4, bytes.length - place + 1); part += 1) text += letters[(bits >> (18 - 6 * part)) & 63]
  }
  return text
}

/**
 * Whether a subscription was made with a key of the server, in base64url; also if the browser doesn't say.
 * @param {Pick<PushSubscription, "options">} subscription
 * @param {string} publicKey
 */
export function hasKey({ options }, publicKey) {
  const key = options?.applicationServerKey
  return !key || base64url(new Uint8Array(key)) === publicKey
}

/**
 * Runs a step while no page and no worker subscribes again.
 * @template Result
 * @param {Pick<LockManager, "request">} locks
 * @param {() => Promise<Result>} step
 * @returns {Promise<Result>}
 */
export const renewing = (locks, step) => locks.request("longbox-push", step)

/**
 * The browser's subscription with the server's key, made again if it has another one, and the endpoint that it replaces. Pages
 * and worker do that one after another, which includes what the worker does with the subscription.
 * @param {PushManager} manager
 * @param {string} publicKey
 * @param {Pick<LockManager, "request">} locks
 * @param {{ always?: boolean, register?: (subscription: PushSubscription, replaces: string) => Promise<void> }} [options]
 *   whether to make it again in any case, and what tells the server of one that replaces another
 * @returns {Promise<{ subscription: PushSubscription, replaces?: string }>}
 */
export function renewed(manager, publicKey, locks, { always = false, register } = {}) {
  return renewing(locks, async () => {
    const old = await manager.getSubscription()
    if (old && !always && hasKey(old, publicKey)) return { subscription: old }
    const replaces = old?.toJSON().endpoint
    await old?.unsubscribe()
    const subscription = await manager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
    if (replaces) await register?.(subscription, replaces)
    return { subscription, ...(replaces ? { replaces } : {}) }
  })
}
