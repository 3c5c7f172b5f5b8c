/**
 * Sends errors of the page to the server, scrubbed. It must neither fail nor report itself. chat.md §7 and
 * §8.
 */
import { type ClientError, logClientError } from '@guildhall/wire/site/clientLog.ts'
import { scrubLocation, scrubMessage, scrubName, scrubStack } from '@guildhall/wire/site/scrub.ts'
import { readStored } from '../browser/storage.ts'
import { CallFailure } from '../call.ts'

/** Different errors of one page load. Those that follow are mostly caused by the first. */
const REPORTS_MAX = 5
/** Without a callback for idle time, ms. */
const IDLE_AFTER_MS = 1_000

const reported = new Set<string>()
let waiting: ClientError[] = []

/** Reports an error once per page load, at most five different ones, when the page is idle. */
export function report(error: unknown, filename: string): void {
  try {
    if (!isBug(error)) return
    const it = describe(error, filename)
    const { name, message, stack } = it.errorEvent.error
    const key = `${name} ${message} ${stack.split('\n')[0]}`
    if (reported.size >= REPORTS_MAX || reported.has(key)) return
    reported.add(key)
    waiting.push(it)
    if (waiting.length === 1) whenIdle(send)
  } catch {
    // Whatever was thrown, reading it throws too.
  }
}

/** Failures of calls and aborted work are no bugs; an answer that breaks the contract is one. */
function isBug(error: unknown): boolean {
  if (error instanceof CallFailure) return error.name === 'bad_answer'
  if (!(error instanceof Error)) return true
  // Browsers report the last as an error, though only a frame was late.
  return error.name !== 'AbortError' && !error.message.startsWith('ResizeObserver loop')
}

function describe(error: unknown, filename: string): ClientError {
  const me = readStored('auth')
  const { name, message, stack } =
    error instanceof Error ? error : { name: 'NonError', message: typeof error, stack: '' }
  return {
    user: { id: me?.id ?? '', username: me?.username ?? '' },
    location: scrubLocation(location.href),
    errorEvent: {
      filename: filename && scrubLocation(filename),
      error: { name: scrubName(name), message: scrubMessage(message), stack: scrubStack(stack ?? '') },
    },
  }
}

function whenIdle(work: () => void): void {
  const idle = (globalThis as { requestIdleCallback?: (work: () => void) => number }).requestIdleCallback
  if (idle) idle(work)
  else setTimeout(work, IDLE_AFTER_MS)
  // A page that is left is never idle again.
  addEventListener('pagehide', work, { once: true })
}

function send(): void {
  const all = waiting
  waiting = []
  const token = readStored('authorization')
  for (const it of all)
    fetch(logClientError.path, {
      method: logClientError.method,
      headers: { 'Content-Type': 'application/json', ...(token && { Authorization: token }) },
      body: JSON.stringify(it),
      keepalive: true,
    }).catch(() => undefined)
}
