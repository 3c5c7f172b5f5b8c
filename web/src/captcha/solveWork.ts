import type { Work } from '@guildhall/wire/captcha/captcha.ts'
import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'

/**
 * Does a proof of work; null when it was stopped, or when the page did not come over TLS: browsers compute
 * nothing there.
 */
export async function solveWork(work: Work, controller: AbortController): Promise<string | null> {
  const solution = await solveChallenge({ challenge: { parameters: work }, deriveKey, controller }).catch(
    () => null,
  )
  return solution && String(solution.counter)
}
