/** Small drawings of what boosts do, in gold on ink. Decoration: the words beside them say it. */
import { BOOST_LASTS_DAYS, GRACE_DAYS } from '@guildhall/wire/boost/trend.ts'
import type { ReactNode } from 'react'
import styles from './Level.module.css'

function Picture({ children }: { children: ReactNode }) {
  return (
    <svg
      className={styles.picture}
      viewBox="0 0 96 72"
      width={96}
      height={72}
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  )
}

/** A level after the other, and a rocket above the last one. */
export const StairsPicture = () => (
  <Picture>
    <g className={styles.solid}>
      <rect x="8" y="52" width="16" height="14" rx="3" opacity=".35" />
      <rect x="28" y="42" width="16" height="24" rx="3" opacity=".55" />
      <rect x="48" y="32" width="16" height="34" rx="3" opacity=".75" />
      <rect x="68" y="40" width="16" height="26" rx="3" />
    </g>
    <path
      className={styles.lines}
      d="M76 5c5.500 4 7.500 10 6.500 17l4 4.500v6l-6.500-3.500h-8l-6.500 3.500v-6l4-4.500c-1-7 1-13 6.500-17zM76 15v.01"
    />
    <path className={styles.lines} d="M10 40c8-1 16-6 21-14M31 26l-6 1.500M31 26l1 6" opacity=".7" />
  </Picture>
)

/** The days that a pack lasts. */
export const DaysPicture = () => (
  <Picture>
    <rect className={styles.solid} x="20" y="14" width="56" height="50" rx="8" opacity=".16" />
    <path className={styles.solid} d="M28 14h40a8 8 0 0 1 8 8v6H20v-6a8 8 0 0 1 8-8z" opacity=".8" />
    <rect className={styles.lines} x="20" y="14" width="56" height="50" rx="8" />
    <path className={styles.lines} d="M34 8v10M62 8v10" />
    <text className={styles.digits} x="48" y="55" textAnchor="middle">
      {BOOST_LASTS_DAYS}
    </text>
  </Picture>
)

/** The days on which a level is kept. */
export const GracePicture = () => (
  <Picture>
    <path className={styles.solid} d="M48 6l26 9v18c0 16-11 27-26 33-15-6-26-17-26-33V15z" opacity=".18" />
    <path className={styles.lines} d="M48 6l26 9v18c0 16-11 27-26 33-15-6-26-17-26-33V15z" />
    <text className={styles.digits} x="48" y="45" textAnchor="middle">
      {GRACE_DAYS}
    </text>
  </Picture>
)
