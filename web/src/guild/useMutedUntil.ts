import type { Guild } from '@guildhall/wire/channel/channel.ts'
import { useEffect, useState } from 'react'

/** Timers count no further, ms. */
const TIMER_MAX = 2 ** 31 - 1

/**
 * Until when the reader may not write in a guild, ms; 0: without an end; null: they may. Becomes null by
 * itself at the end.
 */
export function useMutedUntil(guild: Guild | null): number | null {
  const until = guild?.user_config.muted_until
  const [, setLooks] = useState(0)
  useEffect(() => {
    const left = until ? until - Date.now() : 0
    if (left <= 0) return
    const timer = setTimeout(() => setLooks((looks) => looks + 1), Math.min(left, TIMER_MAX))
    return () => clearTimeout(timer)
  }, [until])
  if (until === undefined) return null
  return until === 0 || until > Date.now() ? until : null
}
