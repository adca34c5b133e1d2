import type { ToWorker } from "../shared/messages.js"

/**
 * What app.js gives to the modules that it loads later. They don't import it: what app.js and another chunk both import would
 * become a chunk of its own, and so a further step of loading.
 */
export interface Services {
  /** Shows a message in the place for messages; one of that name at a time, for some seconds or until it is removed. */
  note(name: string, content: string | Node, milliseconds?: number): void
  /** Shows again whether there is a connection, after the place for messages was filled anew. */
  showConnection(): void
  /** Prepares a page that was put in the place of another. */
  prepare(): void
  /** Lets keys wait until a step has ended, well or not. */
  keepKeys(step: Promise<unknown>): void
  /** Sends a message to the service worker, where there is one. */
  tell(message: ToWorker): void
}

/** What the keys need of the viewer. */
export interface ZoomControls {
  isZoomed(): boolean
  /** Does what a key stands for in the viewer. */
  press(key: string): void
}

export interface Shortcut {
  keys: string[]
  /** The keys as the list of shortcuts shows them. */
  shown: string
  does: string
  act?: () => void
}
