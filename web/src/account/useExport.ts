import { useEffect, useRef, useState } from 'react'
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
      const { collect, save } = await import('./exportFile.ts')
      save(await collect(signal, setCount))
    } catch {
      if (!signal.aborted) toast(t.exportFailed)
    } finally {
      setCount(null)
    }
  }
  return { isBusy: count !== null, count: count ?? 0, start: () => void start() }
}
