/** Parts of the page whose scripts are loaded when they are needed, also on a network that comes and goes. */
import { CALL_TIMEOUT_MS } from '@guildhall/wire/limit.ts'

/** Between two tries to load a part, ms. */
const RETRY_MS = 2_000
const RELOADED = 'reloaded'
/** After this time, ms, the next deploy may reload the page again. */
const RELOAD_AGAIN_MS = 60_000

/** Style sheets that did not come: Vite's loader tries each once, then goes on without. */
const failedStyles = new Set<HTMLLinkElement>()
globalThis.document?.addEventListener(
  'error',
  ({ target }) => {
    if ((target as HTMLLinkElement).rel === 'stylesheet') failedStyles.add(target as HTMLLinkElement)
  },
  true,
)

/** Puts a new link into the place of one whose style sheet did not come; one that fails too is in the set. */
const loadAgain = (failed: HTMLLinkElement): Promise<void> =>
  new Promise((resolve, reject) => {
    failedStyles.delete(failed)
    const link = failed.cloneNode() as HTMLLinkElement
    link.onload = () => resolve()
    link.onerror = () => reject(new Error(link.href))
    failed.replaceWith(link)
  })

/** Loads a part of the page after the style sheets that failed before, of which it may need some. */
async function loadWithStyles<M>(load: () => Promise<M>): Promise<M> {
  await Promise.all(Array.from(failedStyles, loadAgain))
  return load()
}

/**
 * Loads a part of the page and waits for as long as the network is gone: an error would take the whole page
 * away. When the server is there and the script is not, the server has a newer page: loads that one, once.
 * @throws the error of the import when a newer page does not have the script either
 */
export async function loadPart<M>(load: () => Promise<M>): Promise<M> {
  for (;;) {
    try {
      return await loadWithStyles(load)
    } catch {
      // It may have come back just now, so the last word is another try.
      if (await isServerThere()) return loadWithStyles(load).catch(reloadOnce)
      await new Promise((again) => setTimeout(again, RETRY_MS))
    }
  }
}

async function isServerThere(): Promise<boolean> {
  try {
    const limit = AbortSignal.timeout(CALL_TIMEOUT_MS)
    return (await fetch('/', { method: 'HEAD', cache: 'no-store', signal: limit })).ok
  } catch {
    return false
  }
}

/** Waits for the reload. @throws `error` when it has reloaded already */
function reloadOnce(error: unknown): Promise<never> {
  try {
    const last = Number(sessionStorage.getItem(RELOADED))
    if (Date.now() - last < RELOAD_AGAIN_MS) throw error
    sessionStorage.setItem(RELOADED, String(Date.now()))
  } catch {
    // Without storage it could reload for ever.
    throw error
  }
  location.reload()
  return new Promise(() => undefined)
}
