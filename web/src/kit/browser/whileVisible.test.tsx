import { afterEach, expect, test, vi } from 'vitest'
import { createListeners } from '../listeners.ts'
import { whileVisible } from './whileVisible.ts'

afterEach(() => vi.restoreAllMocks())

test('a change of a hidden page is said once it is shown, and nothing after the end', () => {
  const hidden = vi.spyOn(document, 'hidden', 'get')
  const changes = createListeners()
  const listener = vi.fn()
  const end = whileVisible(changes.subscribe)(listener)
  hidden.mockReturnValue(true)
  changes.notify()
  changes.notify()
  expect(listener).not.toHaveBeenCalled()
  hidden.mockReturnValue(false)
  document.dispatchEvent(new Event('visibilitychange'))
  expect(listener).toHaveBeenCalledOnce()
  changes.notify()
  expect(listener).toHaveBeenCalledTimes(2)
  end()
  changes.notify()
  document.dispatchEvent(new Event('visibilitychange'))
  expect(listener).toHaveBeenCalledTimes(2)
})
