import { expect, test } from 'vitest'
import { isQuiet, wordsOf } from './rules.ts'

const at = (time: string) => new Date(`2026-11-26T${time}:30`)

test('without quiet hours it is never quiet', () => {
  expect(isQuiet(null, at('03:00'))).toBe(false)
  expect(isQuiet(undefined, at('03:00'))).toBe(false)
})

test.each([
  ['22:00', '08:00', '21:59', false],
  ['22:00', '08:00', '22:00', true],
  ['22:00', '08:00', '00:00', true],
  ['22:00', '08:00', '07:59', true],
  ['22:00', '08:00', '08:00', false],
  ['12:30', '14:00', '12:29', false],
  ['12:30', '14:00', '12:30', true],
  ['12:30', '14:00', '14:00', false],
  ['09:00', '09:00', '09:00', false],
])('from %s to %s it is at %s quiet: %s', (from, to, time, quiet) => {
  expect(isQuiet({ from, to }, at(time))).toBe(quiet)
})

const called = { author: '安然', guild: '星海公会', channel: '闲聊', line: '今晚开黑吗' }

test('a notification says who wrote, where and what', () => {
  expect(wordsOf(called, null)).toEqual({ title: '安然 · 星海公会 #闲聊', body: '今晚开黑吗' })
})

test('in a private conversation there is no other location than the person', () => {
  expect(wordsOf({ ...called, guild: '', channel: '' }, null).title).toBe('安然')
})

test('where that was chosen, it says nothing of the message', () => {
  const bare = { title: '公会厅', body: '有新消息' }
  expect(wordsOf(called, bare)).toEqual(bare)
})
