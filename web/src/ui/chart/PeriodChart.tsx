import { wholeNumber } from '../../kit/format/wholeNumber.ts'
import { useText } from '../../kit/i18n.ts'
import styles from './Chart.module.css'
import { Chart, type Series } from './Chart.tsx'
import { chartText } from './chartText.ts'

export interface Column<Day> {
  readonly name: string
  readonly countOf: (day: Day) => number
}

/** One number of days: all of a period, how that compares with the period before, and each day. */
export function PeriodChart<Day extends { readonly day: string }>(props: {
  title: string
  days: readonly Day[]
  before: readonly Day[]
  columns: readonly Column<Day>[]
  kind?: 'bars' | 'lines'
  /** A person who is here every day is no further person. */
  isAverage?: boolean
  /** What is said of all of a period; absent: that it is the sum, or the average. */
  allWords?: (value: string) => string
  /** A value in words; absent: a whole number. */
  format?: (value: number) => string
}) {
  const t = useText(chartText)
  const { days, before, columns, format = wholeNumber } = props
  const sumOf = (day: Day) => columns.reduce((sum, { countOf }) => sum + countOf(day), 0)
  const allOf = (period: readonly Day[]) => {
    const sum = period.reduce((all, day) => all + sumOf(day), 0)
    return props.isAverage ? Math.round(sum / Math.max(1, period.length)) : sum
  }
  const all = allOf(days)
  return (
    <>
      <p className={styles.total}>
        <strong>{(props.allWords ?? (props.isAverage ? t.average : t.sum))(format(all))}</strong>
        <span>{changeWords(t, all, allOf(before))}</span>
      </p>
      <Chart
        title={props.title}
        kind={props.kind ?? 'bars'}
        days={days.map(({ day }) => day)}
        series={columns.map(({ name, countOf }): Series => ({ name, values: days.map(countOf) }))}
        before={before.map(sumOf)}
        format={format}
      />
    </>
  )
}

/** `较上期 +12.5%`. */
function changeWords(t: (typeof chartText)['zh-CN'], now: number, before: number): string {
  if (before === now) return t.same
  if (before === 0) return t.noBefore
  const percent = ((now - before) / Math.abs(before)) * 100
  return t.change(`${percent > 0 ? '+' : ''}${percent.toFixed(1)}%`)
}
