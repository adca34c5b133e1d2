// Declarations for service workers that TypeScript's library lacks.

interface ServiceWorkerRegistration {
  readonly sync?: { register(tag: string): Promise<void> }
  readonly periodicSync?: { register(tag: string, options: { minInterval: number }): Promise<void> }
}

interface SyncEvent extends ExtendableEvent {
  readonly tag: string
}

interface ServiceWorkerGlobalScopeEventMap {
  sync: SyncEvent
  periodicsync: SyncEvent
}

interface NotificationOptions {
  image?: string
  actions?: { action: string; title: string }[]
}

/** Build information that the server prepends to the worker's script. */
interface Build {
  /** The program's version. */
  readonly version: string
  /** The version of the application's files. */
  readonly assets: string
  /** The files to install. */
  readonly files: readonly { readonly name: string; readonly hash: string }[]
  /** The headers of the server's own pages. */
  readonly headers: Readonly<Record<string, string>>
  /** The path below which the site is, or empty. Caches and databases have it in their names. */
  readonly base: string
  /** What links start with that readers share: the server's public address; missing if people elsewhere can't reach it. */
  readonly shared?: string
  /** Set only in a static copy, which has no server. `pictures`: 0 all, 1 thumbnails only, 2 none. */
  readonly copy?: { readonly pictures: number }
}

declare const build: Build
