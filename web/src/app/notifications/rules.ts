/** What is decided about a notification before the browser is asked for one. */
import type { Stored } from '../../kit/browser/storage.ts'

type Quiet = NonNullable<Stored['notifications']['quiet']>

/** Minutes of the day of a time such as `22:00`. */
function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

/** Whether a local time is within the quiet hours: from the first minute on, until before the last. */
export function isQuiet(quiet: Quiet | null | undefined, now: Date): boolean {
  if (!quiet) return false
  const [from, to, at] = [minutesOf(quiet.from), minutesOf(quiet.to), now.getHours() * 60 + now.getMinutes()]
  return from <= to ? from <= at && at < to : at >= from || at < to
}

/** What a notification says. `guild` and `channel` are empty in a private conversation. */
export interface Called {
  readonly author: string
  readonly guild: string
  readonly channel: string
  /** The message in one line. */
  readonly line: string
}

/** The two lines of a notification: who and where, and what; or those of `bare`, where that was chosen. */
export function wordsOf(
  { author, guild, channel, line }: Called,
  bare: { readonly title: string; readonly body: string } | null,
): { readonly title: string; readonly body: string } {
  if (bare) return bare
  const where = [guild, channel && `#${channel}`].filter(Boolean).join(' ')
  return { title: where ? `${author} · ${where}` : author, body: line }
}
