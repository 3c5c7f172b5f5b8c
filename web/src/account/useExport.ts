import { type AccountExport, exportAccount } from '@guildhall/wire/account/account.ts'
import { useEffect, useRef, useState } from 'react'
import { saveFile } from '../kit/browser/saveFile.ts'
import { CallFailure, call } from '../kit/call.ts'
import { useText } from '../kit/i18n.ts'
import { toast } from '../ui/overlay/Toast.tsx'
import { text } from './text.ts'

/**
 * Collects all that the server holds about the user, page by page, and saves it as a JSON file. `count`:
 * pieces so far.
 */
export function useExport() {
  const t = useText(text)
  const [count, setCount] = useState<number | null>(null)
  const leaving = useRef<AbortController | null>(null)
  useEffect(() => () => leaving.current?.abort(), [])

  const start = async () => {
    if (count !== null) return
    leaving.current = new AbortController()
    const { signal } = leaving.current
    setCount(0)
    try {
      save(await collect(signal, setCount))
    } catch {
      if (!signal.aborted) toast(t.exportFailed)
    } finally {
      setCount(null)
    }
  }
  return { isBusy: count !== null, count: count ?? 0, start: () => void start() }
}

/** How long to wait when the server asks to slow down, ms. */
const SLOW_DOWN_MS = 5_000

async function collect(signal: AbortSignal, onCount: (count: number) => void): Promise<AccountExport> {
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

function save({ next: _, ...all }: AccountExport): void {
  const name = `guildhall-${all.profile?.username ?? 'account'}.json`
  saveFile(name, JSON.stringify(all, null, 2), 'application/json')
}
