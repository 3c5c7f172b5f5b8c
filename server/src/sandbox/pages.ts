/** The pages for people: the newest trades, and the cashier. */
import type { ActDeps } from './acts.ts'
import type { SandboxAnswer, SandboxRequest } from './dialogue.ts'

/** Answers a request for a page; null for another address. */
export function openPages(_deps: ActDeps): (request: SandboxRequest) => Promise<SandboxAnswer | null> {
  return async () => null
}
