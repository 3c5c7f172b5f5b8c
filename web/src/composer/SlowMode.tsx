import { useEffect, useState } from 'react'
import { durationLabel } from '../kit/format/duration.ts'
import { useText } from '../kit/i18n.ts'
import { laterText } from './laterText.ts'
import styles from './SlowMode.module.css'

const SECOND_MS = 1_000

/**
 * Says above the composer that one waits between two messages here, and how long now. What is sent meanwhile
 * waits in the send queue. `lastAt`: when the reader's newest message was sent, ms; null: none is loaded.
 */
export default function SlowMode({ intervalMs, lastAt }: { intervalMs: number; lastAt: number | null }) {
  const t = useText(laterText)
  const seconds = useSecondsLeft(intervalMs, lastAt)
  return (
    // A timer: its changes are not read aloud each second.
    <p className={styles.line} role="timer" data-part="slow-mode">
      {seconds > 0 ? t.slowWait(durationLabel(seconds)) : t.slowMode(durationLabel(intervalMs / SECOND_MS))}
    </p>
  )
}

/** A clock of the device that is wrong shows no more than the whole interval. */
function useSecondsLeft(intervalMs: number, lastAt: number | null): number {
  const [now, setNow] = useState(Date.now)
  const endsAt = lastAt === null ? 0 : lastAt + intervalMs
  useEffect(() => {
    const tick = () => {
      setNow(Date.now())
      if (Date.now() >= endsAt) clearInterval(timer)
    }
    const timer = setInterval(tick, SECOND_MS)
    tick()
    return () => clearInterval(timer)
  }, [endsAt])
  return Math.max(0, Math.ceil(Math.min(intervalMs, endsAt - now) / SECOND_MS))
}
