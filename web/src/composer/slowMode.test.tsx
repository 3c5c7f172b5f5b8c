import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setLocale } from '../kit/i18n.ts'
import SlowMode from './SlowMode.tsx'

const NOON = Date.parse('2026-11-26T04:00:00Z')
beforeEach(() => {
  setLocale('zh-CN')
  vi.useFakeTimers({ now: NOON })
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const said = () => screen.getByRole('timer').textContent

test('before a message it says how long one waits between two', () => {
  render(<SlowMode intervalMs={30_000} lastAt={null} />)
  expect(said()).toBe('慢速模式：每 0:30 可以发送一条消息')
})

test('after a message the seconds fall, until another one may be sent', () => {
  render(<SlowMode intervalMs={30_000} lastAt={NOON} />)
  expect(said()).toContain('还要等 0:30')
  act(() => vi.advanceTimersByTime(12_000))
  expect(said()).toContain('还要等 0:18')
  act(() => vi.advanceTimersByTime(18_000))
  expect(said()).toBe('慢速模式：每 0:30 可以发送一条消息')
  expect(vi.getTimerCount()).toBe(0)
})

test('a clock that is late shows no more than the whole wait', () => {
  render(<SlowMode intervalMs={30_000} lastAt={NOON + 3_600_000} />)
  expect(said()).toContain('还要等 0:30')
})
