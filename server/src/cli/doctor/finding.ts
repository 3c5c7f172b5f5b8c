/** What the operator's doctor says: one line for what is wrong, and one for what to do. */

/** `bad` needs somebody now, `warn` soon; `ok` says what was looked at. */
export type Health = 'ok' | 'warn' | 'bad'

export interface Finding {
  readonly check: string
  readonly health: Health
  /** What was found. Without secrets. */
  readonly says: string
  /** What to do; absent where nothing is. */
  readonly do?: string
}

export const ok = (check: string, says: string): Finding => ({ check, health: 'ok', says })
export const warn = (check: string, says: string, what: string): Finding => ({
  check,
  says,
  health: 'warn',
  do: what,
})
export const bad = (check: string, says: string, what: string): Finding => ({
  check,
  says,
  health: 'bad',
  do: what,
})

/** The findings that are no `ok`; `fine` when there is none. */
export const orFine = (check: string, fine: string, found: readonly Finding[]): Finding[] =>
  found.length > 0 ? [...found] : [ok(check, fine)]

/** Runs a check; one that breaks is a finding itself, so that the others go on. */
export async function looking(
  check: string,
  look: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await look()
  } catch (error) {
    return [
      bad(
        check,
        `It could not be looked at: ${(error as Error).message}`,
        'Mend this first, then run the doctor again.',
      ),
    ]
  }
}

/** One line for a terminal. */
export const lineOf = ({ check, health, says, do: what }: Finding): string =>
  `${{ ok: 'ok  ', warn: 'WARN', bad: 'BAD ' }[health]} ${check}: ${says}${what ? `  → ${what}` : ''}`
