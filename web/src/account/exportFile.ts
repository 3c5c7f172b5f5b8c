import { type AccountExport, exportAccount } from '@guildhall/wire/account/account.ts'
import { saveFile } from '../kit/browser/saveFile.ts'
import { CallFailure, call } from '../kit/call.ts'

/** How long to wait when the server asks to slow down, ms. */
const SLOW_DOWN_MS = 5_000

/**
 * Collects all that the server holds about the user, page by page. `onCount`: how many pieces there are so
 * far. @throws what ended it, also the abort of `signal`
 */
export async function collect(signal: AbortSignal, onCount: (count: number) => void): Promise<AccountExport> {
  const all: AccountExport = { messages: [], files: [], held: [], reports: [], next: '' }
  do {
    try {
      const page = await call(exportAccount, { cursor: all.next }, { signal })
      Object.assign(all, page, {
        messages: [...all.messages, ...page.messages],
        files: [...all.files, ...page.files],
        held: [...all.held, ...page.held],
        reports: [...all.reports, ...page.reports],
      })
      onCount(all.messages.length + all.files.length + all.held.length + all.reports.length)
    } catch (error) {
      if (!(error instanceof CallFailure) || error.name !== 'too_many') throw error
      await new Promise((go) => setTimeout(go, SLOW_DOWN_MS))
    }
  } while (all.next !== '' && !signal.aborted)
  signal.throwIfAborted()
  return all
}

/** Saves it as a JSON file. */
export function save({ next: _, ...all }: AccountExport): void {
  const name = `guildhall-${all.profile?.username ?? 'account'}.json`
  saveFile(name, JSON.stringify(all, null, 2), 'application/json')
}
