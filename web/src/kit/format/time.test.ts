import { expect, test } from 'vitest'
import { clockLabel, dayLabel, dayPart, sameDay, timeLabel } from './time.ts'

const at = (day: number, hour = 9, minute = 5) => new Date(2026, 2, day, hour, minute).getTime()
const now = at(20, 15)

test.each([
  [at(20, 0, 0), '今天', 'Today'],
  [at(20, 23, 59), '今天', 'Today'],
  [at(19, 23, 59), '昨天', 'Yesterday'],
  [at(18), '星期三', 'Wednesday'],
  [at(15), '星期日', 'Sunday'],
  [at(14), '2026年3月14日', '2026-03-14'],
  [at(21), '2026年3月21日', '2026-03-21'],
])('%s is labelled %s', (moment, zh, en) => {
  expect(dayLabel(moment, now, 'zh-CN')).toBe(zh)
  expect(dayLabel(moment, now, 'en')).toBe(en)
})

test.each([
  [0, '凌晨'],
  [4, '凌晨'],
  [5, '上午'],
  [11, '上午'],
  [12, '中午'],
  [13, '下午'],
  [17, '下午'],
  [18, '晚上'],
  [23, '晚上'],
])('hour %s is in the %s', (hour, part) => {
  expect(dayPart(at(20, hour), 'zh-CN')).toBe(part)
})

test('the clock has twelve hours with the part of the day in Chinese, twenty-four in English', () => {
  expect(clockLabel(at(20, 15, 7), 'zh-CN')).toBe('下午 3:07')
  expect(clockLabel(at(20, 20, 30), 'zh-CN')).toBe('晚上 8:30')
  expect(clockLabel(at(20, 12, 0), 'zh-CN')).toBe('中午 12:00')
  expect(clockLabel(at(20, 0, 30), 'zh-CN')).toBe('凌晨 0:30')
  expect(clockLabel(at(20, 15, 7), 'en')).toBe('15:07')
  expect(timeLabel(at(19, 15, 7), now, 'zh-CN')).toBe('昨天 下午 3:07')
})

test('two moments a minute apart across midnight are on different days', () => {
  expect(sameDay(at(19, 23, 59), at(20, 0, 0))).toBe(false)
  expect(sameDay(at(20, 0, 0), at(20, 23, 59))).toBe(true)
})
