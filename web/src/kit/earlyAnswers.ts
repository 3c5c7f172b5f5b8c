/** Answers that `app/served/beforePaint.ts` has requested before the page's scripts ran. */

/** Left in the window by the script in the page's head. */
interface EarlyAnswers {
  readonly token: string
  readonly answers: Record<string, Promise<Response>>
}

/** An answer is not used when the page's scripts took longer than this to run, ms: it is outdated. */
const USABLE_MS = 30_000

/**
 * The answer to a GET of this URL with this token, once; null when none was requested. It may reject as
 * `fetch` does.
 */
export function takeEarlyAnswer(url: string, token: string | null): Promise<Response> | null {
  const early = (globalThis as { earlyAnswers?: EarlyAnswers }).earlyAnswers
  const answer = early?.answers[url]
  if (!early || !answer) return null
  delete early.answers[url]
  return early.token === token && performance.now() < USABLE_MS ? answer : null
}
