/**
 * Days, weeks, months and years as people name them in a search. Days are Beijing's; weeks begin on Monday.
 */
import { beijingDay, dayNumber, dayStart } from '../beijing.ts'
import { DAY_MS } from '../unit.ts'

/** ms, half-open. */
export interface DateRange {
  readonly from: number
  readonly to: number
}

const WEEK_DAYS = 7
/** 1970-01-01 was a Thursday. */
const DAYS_AFTER_MONDAY = 3
const MONTHS = 12

const dayRange = (day: number, days = 1): DateRange => ({ from: dayStart(day), to: dayStart(day + days) })

/** Month 0 is January; months before and after the year's are those of other years. */
const firstDayOf = (year: number, month: number): number => Math.floor(Date.UTC(year, month, 1) / DAY_MS)

const monthRange = (year: number, month: number, months = 1): DateRange => ({
  from: dayStart(firstDayOf(year, month)),
  to: dayStart(firstDayOf(year, month + months)),
})

/** Named by how long ago they were. */
const DAY_NAMES: ReadonlyMap<string, number> = new Map([
  ['today', 0],
  ['今天', 0],
  ['今日', 0],
  ['yesterday', 1],
  ['昨天', 1],
  ['昨日', 1],
  ['前天', 2],
])
const WEEK_NAMES: ReadonlyMap<string, number> = new Map([
  ['this week', 0],
  ['本周', 0],
  ['这周', 0],
  ['last week', 1],
  ['上周', 1],
])
const MONTH_NAMES: ReadonlyMap<string, number> = new Map([
  ['this month', 0],
  ['本月', 0],
  ['这个月', 0],
  ['last month', 1],
  ['上月', 1],
  ['上个月', 1],
])
const YEAR_NAMES: ReadonlyMap<string, number> = new Map([
  ['this year', 0],
  ['今年', 0],
  ['last year', 1],
  ['去年', 1],
])
const ENGLISH_MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]

const WHOLE = /^(\d{4})(?:[-/.年](\d{1,2})(?:[-/.月](\d{1,2})[日号]?|月)?|年)?$/
const IN_YEAR = /^(\d{1,2})(?:月(?:(\d{1,2})[日号]?)?|[-/](\d{1,2}))$/

/** The range that a text names, as of `now`, ms; null for what names none. */
export function dateRangeOf(text: string, now: number): DateRange | null {
  const name = text
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+(?=[a-z])/g, ' ')
  const [year = 0, month = 1] = beijingDay(now).split('-').map(Number)
  const today = dayNumber(now)
  const daysAgo = DAY_NAMES.get(name)
  if (daysAgo !== undefined) return dayRange(today - daysAgo)
  const weeksAgo = WEEK_NAMES.get(name)
  if (weeksAgo !== undefined) return dayRange(mondayOf(today) - weeksAgo * WEEK_DAYS, WEEK_DAYS)
  const monthsAgo = MONTH_NAMES.get(name)
  if (monthsAgo !== undefined) return monthRange(year, month - 1 - monthsAgo)
  const yearsAgo = YEAR_NAMES.get(name)
  if (yearsAgo !== undefined) return monthRange(year - yearsAgo, 0, MONTHS)
  return writtenRange(name, { year, month, today })
}

const mondayOf = (day: number): number => day - ((day + DAYS_AFTER_MONDAY) % WEEK_DAYS)

/** A date in numbers. A month or day without a year is the latest that has begun. */
function writtenRange(
  name: string,
  now: { readonly year: number; readonly month: number; readonly today: number },
): DateRange | null {
  const whole = WHOLE.exec(name)
  if (whole) {
    const [, year, month, day] = whole.map(Number) as [number, number, number, number]
    if (Number.isNaN(month)) return monthRange(year, 0, MONTHS)
    return rangeIn(year, month, day)
  }
  const english = ENGLISH_MONTHS.findIndex(
    (it) => it === name || (it.slice(0, 3) === name && name.length === 3),
  )
  if (english >= 0) return monthRange(english + 1 > now.month ? now.year - 1 : now.year, english)
  const inYear = IN_YEAR.exec(name)
  if (!inYear) return null
  const month = Number(inYear[1])
  const day = Number(inYear[2] ?? inYear[3])
  const thisYear = rangeIn(now.year, month, day)
  if (thisYear && thisYear.from <= dayStart(now.today)) return thisYear
  // A 29th of February is not in every year.
  for (let ago = 1; ago <= 8; ago += 1) {
    const before = rangeIn(now.year - ago, month, day)
    if (before) return before
  }
  return null
}

/** A month, or a day of it; null for one that does not exist. */
function rangeIn(year: number, month: number, day: number): DateRange | null {
  if (month < 1 || month > MONTHS) return null
  if (Number.isNaN(day)) return monthRange(year, month - 1)
  const first = firstDayOf(year, month - 1)
  if (day < 1 || first + day > firstDayOf(year, month)) return null
  return dayRange(first + day - 1)
}
