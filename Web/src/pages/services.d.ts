import type { ToWorker } from "../shared/messages.js"

/**
 * What app.js passes to modules that it loads later. They don't import it: shared imports would become a chunk of their
 * own, and so one more step of loading.
 */
export interface Services {
  /** Shows a message for some time or until it is removed; one per name. */
  note(name: string, content: string | Node, milliseconds?: number): void
  /** Shows the connection's state again after the messages were replaced. */
  showConnection(): void
  /** Sets up a page that was put in place of another. */
  prepare(): void
  /** Makes keys wait until a step has succeeded or failed. */
  keepKeys(step: Promise<unknown>): void
  /** Sends a message to the service worker, if there is one. */
  tell(message: ToWorker): void
}

/** The viewer's interface for keys. */
export interface ZoomControls {
  isZoomed(): boolean
  /** Handles a key. */
  press(key: string): void
}

export interface Shortcut {
  keys: string[]
  /** The keys as the list shows them. */
  shown: string
  does: string
  act?: () => void
}
