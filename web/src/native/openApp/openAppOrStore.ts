/**
 * Opens the native app by its address, and its store where it did not open. chat.md §4 and §9, decision 66.
 */

/** How long the steps wait, ms. chat.md §9, commerce.md §9. */
export const WAITS = {
  /** From the app's address to the store. */
  store: 1_000,
  /** From the copying of an invite to the app's address. */
  copied: 100,
  /** From the app's address to the store, for links that need the app. */
  outsideRouter: 1_400,
  /** From the download's address to the page that it was asked on. */
  download: 1_000,
} as const

/** What opening the app needs of the browser. */
export interface OpenAppEnvironment {
  readonly document: Pick<Document, 'addEventListener' | 'removeEventListener' | 'visibilityState'>
  readonly window: Pick<Window, 'addEventListener' | 'removeEventListener'>
  /** Leaves for an address. */
  go(address: string): void
  /** Copies a text; false where the browser refuses. */
  copy(text: string): Promise<boolean>
  /** The clock, ms. */
  now(): number
}

export interface OpenAppSteps {
  /** Opens the app; null where no address can. */
  readonly app: string | null
  /** Null where the operator set none. */
  readonly store: string | null
  /** Copied first, so that an app that is installed from the store can read it. */
  readonly copied?: string | undefined
  readonly waitMs?: number
}

/**
 * What became of it. `opened`: the app is in front, or the browser asks about it; `store`: the store is;
 * `nothing`: neither;
 * `busy`: an earlier tap is still under way.
 */
export type OpenAppOutcome = 'opened' | 'store' | 'nothing' | 'busy'

let isOpening = false

/**
 * Opens the app or, when nothing shows within the wait that it did, the store. A second call while one is
 * under way does nothing.
 */
export async function openAppOrStore(
  { app, store, copied, waitMs = WAITS.store }: OpenAppSteps,
  environment: OpenAppEnvironment,
): Promise<OpenAppOutcome> {
  if (isOpening) return 'busy'
  isOpening = true
  try {
    if (copied) {
      // Browsers copy only within the tap. What they answer changes nothing here.
      void environment.copy(copied).catch(() => false)
      await new Promise((later) => setTimeout(later, WAITS.copied))
    }
    if (app && (await didOpen(app, waitMs, environment))) return 'opened'
    if (!store) return 'nothing'
    environment.go(store)
    return 'store'
  } finally {
    isOpening = false
  }
}

/** Whether the app came in front of the page: it is hidden, left, or asked about. */
function didOpen(
  app: string,
  waitMs: number,
  { document, window, go, now }: OpenAppEnvironment,
): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (opened: boolean) => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onVisibility)
      window.removeEventListener('pagehide', onLeft)
      window.removeEventListener('blur', onLeft)
      resolve(opened)
    }
    const onVisibility = () => document.visibilityState === 'hidden' && end(true)
    const onLeft = () => end(true)
    const started = now()
    // A page that was frozen meanwhile was told nothing; its timer is late.
    const timer = setTimeout(
      () => end(document.visibilityState === 'hidden' || now() - started >= 2 * waitMs),
      waitMs,
    )
    document.addEventListener('visibilitychange', onVisibility)
    window.addEventListener('pagehide', onLeft)
    window.addEventListener('blur', onLeft)
    go(app)
  })
}
