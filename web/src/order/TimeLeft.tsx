import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { useEffect, useRef, useState } from 'react'
import { durationLabel } from '../kit/format/duration.ts'
import { useText } from '../kit/i18n.ts'
import { text } from './text.ts'

/** Milliseconds until `end`, by the clock of this device, each second; 0 when it is over. */
export function useTimeLeft(end: number): number {
  const [now, setNow] = useState(Date.now)
  const isOver = now >= end
  useEffect(() => {
    if (isOver) return
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS)
    return () => clearInterval(timer)
  }, [isOver])
  return Math.max(0, end - now)
}

/**
 * How long an order may still be paid, counted down; `onOver`: its time is over, so that the server closes
 * it, or it was paid in the last moment.
 */
export function TimeLeft(props: { endsAt: number; onOver: () => void; className?: string | undefined }) {
  const t = useText(text)
  const left = useTimeLeft(props.endsAt)
  const over = useRef(props.onOver)
  over.current = props.onOver
  const isOver = left === 0
  useEffect(() => {
    if (isOver) over.current()
  }, [isOver])
  return (
    // A timer: its changes are not read aloud each second.
    <span className={props.className} role="timer">
      {isOver ? t.over : t.left(durationLabel(Math.ceil(left / SECOND_MS)))}
    </span>
  )
}
