import type { Countdown } from '@guildhall/wire/card/node.ts'
import { useText } from '../kit/i18n.ts'
import styles from './Cards.module.css'
import { text } from './text.ts'
import { useCountdown } from './useCountdown.ts'

/** The time that is left until a moment; in seconds with a bar, if it is known since when. */
export function CountdownBox({ countdown }: { countdown: Countdown }) {
  const t = useText(text)
  const { endTime, startTime, mode } = countdown
  const left = useCountdown(endTime)
  const seconds = Math.ceil(left / 1000)
  if (left === 0)
    return (
      <div className={styles.countdown} data-over>
        {t.ended}
      </div>
    )
  const parts: [number, string][] =
    mode === 'second'
      ? [[seconds, t.seconds]]
      : mode === 'hour'
        ? [
            [Math.floor(seconds / 3600), t.hours],
            [Math.floor(seconds / 60) % 60, t.minutes],
            [seconds % 60, t.seconds],
          ]
        : [
            [Math.floor(seconds / 86_400), t.days],
            [Math.floor(seconds / 3600) % 24, t.hours],
            [Math.floor(seconds / 60) % 60, t.minutes],
            [seconds % 60, t.seconds],
          ]
  const whole = startTime === undefined ? 0 : endTime - startTime
  return (
    <div className={styles.countdown} role="timer" aria-label={t.timeLeft}>
      <span className={styles.countdownParts}>
        {parts.map(([n, unit]) => (
          <span className={styles.countdownPart} key={unit}>
            <b>{mode === 'second' ? n : String(n).padStart(2, '0')}</b>
            <span>{unit}</span>
          </span>
        ))}
      </span>
      {mode === 'second' && whole > 0 && (
        <span className={styles.countdownBar}>
          <span style={{ transform: `scaleX(${Math.min(1, left / whole)})` }} />
        </span>
      )}
    </div>
  )
}
