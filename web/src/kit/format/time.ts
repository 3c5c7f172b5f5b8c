import { type Locale, texts } from '@guildhall/wire/locale.ts'

/**
 * Labels of moments, chat.md §4 "Time labels". All moments are milliseconds since 1970, shown in local time.
 */

const DAY_MS = 86_400_000
const two = (n: number) => String(n).padStart(2, '0')

const labels = texts({
  'zh-CN': {
    today: '今天',
    yesterday: '昨天',
    week: ['星期日', '星期一', '星期二', '星期三', '星期四', '星期五', '星期六'],
    parts: ['凌晨', '上午', '中午', '下午', '晚上'],
    clock: (part: string, hour: number, minute: string) =>
      `${part} ${hour > 12 ? hour - 12 : hour}:${minute}`,
    date: (year: number, month: number, day: number) => `${year}年${month}月${day}日`,
  },
  en: {
    today: 'Today',
    yesterday: 'Yesterday',
    week: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
    parts: ['early morning', 'morning', 'noon', 'afternoon', 'evening'],
    clock: (_part: string, hour: number, minute: string) => `${two(hour)}:${minute}`,
    date: (year: number, month: number, day: number) => `${year}-${two(month)}-${two(day)}`,
  },
})

/**
 * Midnight that began the day of a moment. Days are counted by the calendar, so a clock change does not move
 * one.
 */
function dayOf(at: number): number {
  const date = new Date(at)
  return Math.round(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / DAY_MS)
}

/** True when two moments fall on one calendar day. */
export function sameDay(a: number, b: number): boolean {
  return dayOf(a) === dayOf(b)
}

/** The full date of a moment. */
export function dateLabel(at: number, locale: Locale): string {
  const date = new Date(at)
  return labels[locale].date(date.getFullYear(), date.getMonth() + 1, date.getDate())
}

/** today, yesterday, the weekday within five days, else the full date. A future moment shows its date. */
export function dayLabel(at: number, now: number, locale: Locale): string {
  const text = labels[locale]
  const date = new Date(at)
  const ago = dayOf(now) - dayOf(at)
  if (ago === 0) return text.today
  if (ago === 1) return text.yesterday
  if (ago > 1 && ago <= 5) return text.week[date.getDay()] ?? ''
  return dateLabel(at, locale)
}

/**
 * early morning before 5, morning before 12, noon before 13, afternoon before 18, evening otherwise. Decision
 * 45.
 */
export function dayPart(at: number, locale: Locale): string {
  const hour = new Date(at).getHours()
  const part = [5, 12, 13, 18].filter((from) => hour >= from).length
  return labels[locale].parts[part] ?? ''
}

/** The clock of a message: 下午 3:07 in Chinese, 15:07 in English. Decision 45. */
export function clockLabel(at: number, locale: Locale): string {
  const date = new Date(at)
  return labels[locale].clock(dayPart(at, locale), date.getHours(), two(date.getMinutes()))
}

/** Day and clock, as at the head of a message group. */
export function timeLabel(at: number, now: number, locale: Locale): string {
  return `${dayLabel(at, now, locale)} ${clockLabel(at, locale)}`
}
