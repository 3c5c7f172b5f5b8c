/** Parts of the page whose scripts are loaded when they are needed, also on a network that comes and goes. */
import { CALL_TIMEOUT_MS } from '@guildhall/wire/limit.ts'

/** Between two tries to load a part, ms. */
const RETRY_MS = 2_000

/** Whether the server answers. When it does and a script still cannot be loaded, the script is gone. */
export async function isServerThere(): Promise<boolean> {
  try {
    const limit = AbortSignal.timeout(CALL_TIMEOUT_MS)
    return (await fetch('/', { method: 'HEAD', cache: 'no-store', signal: limit })).ok
  } catch {
    return false
  }
}

/**
 * Loads a part of the page and waits for as long as the network is gone: an error would take the whole page away.
 * @throws the error of the import when the server is there and the script is not
 */
export async function loadPart<M>(load: () => Promise<M>): Promise<M> {
  for (;;) {
    try {
      return await load()
    } catch {
      // It may have come back just now, so the last word is another try.
      if (await isServerThere()) return load()
      await new Promise((again) => setTimeout(again, RETRY_MS))
    }
  }
}
