import { cleanup, render } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PRESENCE_MS, usePresenceRefresh } from './usePresenceRefresh.ts'

const refresh = vi.fn()
function Screen() {
  usePresenceRefresh(refresh)
  return null
}

beforeEach(() => {
  refresh.mockClear()
  vi.useFakeTimers()
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('a screen that was left asks no more', () => {
  const { unmount } = render(<Screen />)
  unmount()
  vi.advanceTimersByTime(10 * PRESENCE_MS)
  expect(refresh).not.toHaveBeenCalled()
  expect(vi.getTimerCount()).toBe(0)
})

test('a hidden page does not ask', () => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  render(<Screen />)
  vi.advanceTimersByTime(3 * PRESENCE_MS)
  expect(refresh).not.toHaveBeenCalled()
})

test('a visible one asks every half a minute', () => {
  render(<Screen />)
  vi.advanceTimersByTime(3 * PRESENCE_MS)
  expect(refresh).toHaveBeenCalledTimes(3)
})
