import { expect, it } from 'vitest'
import { HOUR_MS } from '../unit.ts'
import { promisedBy, workingMsBetween } from './workingTime.ts'

const at = (text: string) => Date.parse(`${text}+08:00`)

it('what comes on a working day is promised for the same time on the next one', () => {
  expect(promisedBy(at('2026-11-24T15:00'))).toBe(at('2026-11-25T15:00'))
})

it('a weekend does not count', () => {
  // A Friday.
  expect(promisedBy(at('2026-11-27T15:00'))).toBe(at('2026-11-30T15:00'))
  expect(promisedBy(at('2026-11-28T09:00'))).toBe(at('2026-12-01T00:00'))
  expect(workingMsBetween(at('2026-11-27T23:00'), at('2026-11-30T02:00'))).toBe(3 * HOUR_MS)
  expect(workingMsBetween(at('2026-11-28T00:00'), at('2026-11-29T23:00'))).toBe(0)
})

it('the day is that of China, whatever the zone of the machine', () => {
  // Saturday in China, Friday in London.
  expect(workingMsBetween(Date.parse('2026-11-27T16:30Z'), Date.parse('2026-11-27T20:00Z'))).toBe(0)
})
