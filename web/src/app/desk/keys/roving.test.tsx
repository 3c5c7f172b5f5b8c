import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { useRoving } from './useRoving.ts'

/** A list of messages as the room draws it: those in view, with their index in what is loaded. */
function Messages({ drawn }: { drawn: readonly (readonly [index: number, id: string])[] }) {
  useRoving()
  return (
    <div data-part="message-scroll">
      {drawn.map(([index, id]) => (
        <div key={id} data-index={index}>
          <article data-part="message" data-id={id} tabIndex={-1}>
            {id}
          </article>
        </div>
      ))}
    </div>
  )
}

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const focused = () =>
  document.activeElement?.getAttribute('data-id') ?? document.activeElement?.getAttribute('data-part')

/** In the middle of a long list. */
const shows = (...drawn: [number, string][]) => {
  vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockReturnValue(9_000)
  const { rerender, container } = render(<Messages drawn={drawn} />)
  return {
    focus: (id: string) => container.querySelector<HTMLElement>(`[data-id=${id}]`)!.focus(),
    draw: async (...next: [number, string][]) => {
      rerender(<Messages drawn={next} />)
      // What was drawn is noticed after it.
      await Promise.resolve()
    },
  }
}

test('a message that is scrolled away leaves the keys to its list, and has them again when it is back', async () => {
  const list = shows([3, 'm3'], [4, 'm4'], [5, 'm5'])
  list.focus('m4')
  await list.draw([8, 'm8'], [9, 'm9'])
  expect(focused()).toBe('message-scroll')
  await list.draw([4, 'm4'], [5, 'm5'])
  expect(focused()).toBe('m4')
})

test('older messages that were loaded meanwhile have its index, and not its keys', async () => {
  const list = shows([3, 'm3'], [4, 'm4'], [5, 'm5'])
  list.focus('m4')
  await list.draw([28, 'm8'], [29, 'm9'])
  await list.draw([3, 'l3'], [4, 'l4'], [5, 'l5'])
  expect(focused()).toBe('message-scroll')
  await list.draw([22, 'l9'], [23, 'm3'], [24, 'm4'])
  expect(focused()).toBe('m4')
})

test('the keys of a message that is deleted go to the one before', async () => {
  const list = shows([3, 'm3'], [4, 'm4'], [5, 'm5'])
  list.focus('m4')
  await list.draw([3, 'm3'], [4, 'm5'])
  expect(focused()).toBe('m3')
})
