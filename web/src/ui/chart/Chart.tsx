import { useEffect, useRef, useState } from 'react'
import { useText } from '../../kit/i18n.ts'
import styles from './Chart.module.css'
import { ChartTable } from './ChartTable.tsx'
import { chartText } from './chartText.ts'
import { type Scale, scaleOf } from './scale.ts'

export interface Series {
  readonly name: string
  readonly values: readonly number[]
}

const HEIGHT = 180
const BELOW = 24
const ABOVE = 8
const RIGHT = 8
/** A character of the axis, and the gap beside it. */
const LETTER = 7
/** Days have so much room for their label. */
const LABEL_ROOM = 56

interface ChartProps {
  readonly title: string
  readonly kind: 'bars' | 'lines'
  readonly days: readonly string[]
  readonly series: readonly Series[]
  /** The same days of the period before, all series together. */
  readonly before: readonly number[]
  readonly format: (value: number) => string
}

/**
 * Values of days: bars on top of each other, or lines, and the period before as a dashed line. `format`: a
 * value in words. Read aloud it is a table.
 */
export function Chart(props: ChartProps) {
  const t = useText(chartText)
  const { days, series, before, format, kind } = props
  const [box, width] = useWidth()
  // What is below zero hangs from it: the bars of a day reach from the one sum to the other.
  const sumsOf = (isIn: (value: number) => boolean) =>
    days.map((_, at) =>
      series
        .map(({ values }) => values[at] ?? 0)
        .filter(isIn)
        .reduce(add, 0),
    )
  const tops =
    kind === 'bars'
      ? [...sumsOf((value) => value > 0), ...sumsOf((value) => value < 0)]
      : series.flatMap(({ values }) => values)
  const scale = scaleOf([...tops, ...before])
  const left = Math.max(...scale.lines.map((line) => format(line).length)) * LETTER + 8
  const layout: Layout = {
    x: (at) => left + ((width - left - RIGHT) * (at + 0.5)) / days.length,
    y: (value) => ABOVE + (HEIGHT * (scale.to - value)) / (scale.to - scale.from),
    band: (width - left - RIGHT) / days.length,
  }
  return (
    <div className={styles.chart} ref={box}>
      <svg width={width} height={ABOVE + HEIGHT + BELOW} aria-hidden="true" focusable="false">
        <Axis scale={scale} left={left} width={width} layout={layout} format={format} />
        <DayLabels days={days} layout={layout} />
        {kind === 'bars' ? (
          <Bars days={days} series={series} layout={layout} />
        ) : (
          <Lines days={days} series={series} layout={layout} />
        )}
        <polyline className={styles.halo} points={pointsOf(before, layout)} />
        <polyline className={styles.before} points={pointsOf(before, layout)} />
        <Hits {...props} layout={layout} />
      </svg>
      <Legend series={series} />
      <ChartTable
        caption={props.title}
        columns={[t.day, ...series.map(({ name }) => name), t.before]}
        rows={days.map(
          (day, at) =>
            [day, ...series.map(({ values }) => format(values[at] ?? 0)), format(before[at] ?? 0)] as const,
        )}
      />
    </div>
  )
}

const add = (one: number, other: number): number => one + other

/** What the pointer reads of each day. */
function Hits({ days, series, before, format, layout }: Drawn & Pick<ChartProps, 'before' | 'format'>) {
  const t = useText(chartText)
  return days.map((day, at) => (
    <rect
      key={day}
      className={styles.hit}
      x={layout.x(at) - layout.band / 2}
      y={ABOVE}
      width={layout.band}
      height={HEIGHT}
    >
      <title>
        {[
          day,
          ...series.map(({ name, values }) => `${name} ${format(values[at] ?? 0)}`),
          `${t.before} ${format(before[at] ?? 0)}`,
        ].join('\n')}
      </title>
    </rect>
  ))
}

function Legend({ series }: { series: readonly Series[] }) {
  const t = useText(chartText)
  return (
    <ul className={styles.legend} aria-hidden="true">
      {series.map(({ name }, at) => (
        <li key={name}>
          <i className={styles.swatch} data-series={at} />
          {name}
        </li>
      ))}
      <li>
        <i className={styles.swatch} data-series="before" />
        {t.before}
      </li>
    </ul>
  )
}

/** Where a day and a value stand. */
interface Layout {
  readonly x: (at: number) => number
  readonly y: (value: number) => number
  /** The width of a day. */
  readonly band: number
}

const pointsOf = (values: readonly number[], { x, y }: Layout): string =>
  values.map((value, at) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(' ')

function Axis(props: {
  scale: Scale
  left: number
  width: number
  layout: Layout
  format: (value: number) => string
}) {
  return props.scale.lines.map((line) => (
    <g key={line}>
      <line
        className={line === 0 ? styles.zero : styles.line}
        x1={props.left}
        x2={props.width - RIGHT}
        y1={props.layout.y(line)}
        y2={props.layout.y(line)}
      />
      <text x={props.left - 6} y={props.layout.y(line) + 4} textAnchor="end">
        {props.format(line)}
      </text>
    </g>
  ))
}

/** As many days as there is room for, counted from today, `11-25`. */
function DayLabels({ days, layout }: { days: readonly string[]; layout: Layout }) {
  const every = Math.max(1, Math.ceil(LABEL_ROOM / layout.band))
  const last = days.length - 1
  return days.map((day, at) =>
    (last - at) % every === 0 ? (
      <text
        key={day}
        x={layout.x(at) + (at === last ? layout.band / 2 : 0)}
        y={ABOVE + HEIGHT + 18}
        textAnchor={at === last ? 'end' : 'middle'}
      >
        {day.slice(5)}
      </text>
    ) : null,
  )
}

interface Drawn {
  readonly days: readonly string[]
  readonly series: readonly Series[]
  readonly layout: Layout
}

/** Those below zero hang from it. */
function Bars({ days, series, layout }: Drawn) {
  const width = Math.max(1, Math.min(32, layout.band * 0.7))
  return days.map((day, at) => {
    let up = 0
    let down = 0
    return series.map(({ name, values }, n) => {
      const value = values[at] ?? 0
      const from = value < 0 ? down : up
      if (value < 0) down += value
      else up += value
      const [top, bottom] = [layout.y(Math.max(from, from + value)), layout.y(Math.min(from, from + value))]
      return (
        <rect
          key={`${day} ${name}`}
          className={styles.bar}
          data-series={n}
          x={layout.x(at) - width / 2}
          y={top}
          width={width}
          height={Math.max(0, bottom - top)}
        />
      )
    })
  })
}

/** Days that stand close have no dots. */
const DOTS_FROM = 8

function Lines({ days, series, layout }: Drawn) {
  return series.map(({ name, values }, n) => (
    <g key={name}>
      <polyline className={styles.stroke} data-series={n} points={pointsOf(values, layout)} />
      {layout.band > DOTS_FROM &&
        days.map((day, at) => (
          <circle
            key={day}
            className={styles.dot}
            data-series={n}
            cx={layout.x(at)}
            cy={layout.y(values[at] ?? 0)}
            r={3}
          />
        ))}
    </g>
  ))
}

const WIDTH_FIRST = 480

/** The width of an element, followed. */
function useWidth() {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(WIDTH_FIRST)
  useEffect(() => {
    const it = box.current
    if (!it) return
    const measure = () => setWidth(Math.max(240, it.clientWidth || WIDTH_FIRST))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(it)
    return () => observer.disconnect()
  }, [])
  return [box, width] as const
}
