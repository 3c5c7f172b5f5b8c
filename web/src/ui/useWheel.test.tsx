import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useRef } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { useWheel } from './useWheel.ts'

function Box({ act }: { act: () => void }) {
  const box = useRef<HTMLDivElement>(null)
  useWheel(box, act)
  return <div ref={box}>rows</div>
}

afterEach(cleanup)

test('scrolling does not wait for the page', () => {
  const listen = vi.spyOn(HTMLElement.prototype, 'addEventListener')
  render(<Box act={() => undefined} />)
  expect(listen.mock.calls.filter(([type]) => type === 'wheel').map(([, , options]) => options)).toEqual([
    { passive: true },
  ])
  listen.mockRestore()
})

test('a wheel does what is meant now, and nothing once its box is gone', () => {
  const before = vi.fn()
  const now = vi.fn()
  const { rerender, unmount } = render(<Box act={before} />)
  rerender(<Box act={now} />)
  const box = screen.getByText('rows')
  fireEvent.wheel(box)
  unmount()
  fireEvent.wheel(box)
  expect(before).not.toHaveBeenCalled()
  expect(now).toHaveBeenCalledTimes(1)
})
