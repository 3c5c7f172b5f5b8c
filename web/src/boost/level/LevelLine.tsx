import type { GuildRightsView } from '@guildhall/wire/boost/levels.ts'
import { useText } from '../../kit/i18n.ts'
import styles from '../Boost.module.css'
import { text } from '../text.ts'

/** How far apart two levels are. commerce.md §9. */
const LEVEL_REM = 2.95

/** The levels on a line that is filled up to where the guild is, each above the packs that it needs. */
export function LevelLine(props: { boosts: number; level: number; levels: readonly GuildRightsView[] }) {
  const t = useText(text)
  const { boosts, level, levels } = props
  const thresholds = [0, ...levels.map(({ boost_num }) => boost_num.value)]
  const reached = thresholds.findLastIndex((least) => least <= boosts)
  const from = thresholds[reached] ?? 0
  const to = thresholds[reached + 1]
  const part = to === undefined ? 0 : (boosts - from) / (to - from)
  const most = thresholds.length - 1
  return (
    <div
      className={styles.line}
      style={{ width: `${most * LEVEL_REM}rem` }}
      role="progressbar"
      aria-label={t.line}
      aria-valuemin={0}
      aria-valuemax={thresholds.at(-1)}
      aria-valuenow={Math.min(boosts, thresholds.at(-1) ?? 0)}
      aria-valuetext={`${t.level(level)}, ${t.packs(boosts)}`}
    >
      <span className={styles.lineFill} style={{ width: `${(reached + part) * LEVEL_REM}rem` }} />
      {thresholds.map((least, at) => (
        <span
          key={least}
          className={styles.lineStop}
          style={{ left: `${at * LEVEL_REM}rem` }}
          data-on={at <= level || undefined}
        >
          {at}
          <span className={styles.lineNeeds}>{least}</span>
        </span>
      ))}
    </div>
  )
}
