import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { ErrorBoundary } from '../../message/ErrorBoundary.tsx'
import { lazy, Suspense } from './lazy.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const Name = ({ name }: { name: string }) => <p>I am {name}</p>

/** A part whose script comes or fails when the test says so. */
function partOf() {
  const arrival = Promise.withResolvers<{ default: typeof Name }>()
  const load = vi.fn(() => arrival.promise)
  return {
    Part: lazy(load),
    load,
    arrive: () => arrival.resolve({ default: Name }),
    fail: () => arrival.reject(new Error('no script')),
  }
}

test('a part whose script does not come is an error where it is drawn, and nothing else goes', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const { Part, fail } = partOf()
  render(
    <>
      <p>beside</p>
      <ErrorBoundary resetKey={1} fallback={<p>broken</p>}>
        <Part name="a" />
      </ErrorBoundary>
    </>,
  )
  fail()
  expect(await screen.findByText('broken')).toBeTruthy()
  expect(screen.getByText('beside')).toBeTruthy()
})

test('what is drawn around a part that loads stays, and the part says meanwhile what it waits for', async () => {
  const { Part, arrive } = partOf()
  render(
    <Suspense fallback={<p>loading</p>}>
      <input aria-label="typed" />
      <Part name="a" />
    </Suspense>,
  )
  const field = screen.getByLabelText('typed')
  expect(screen.getByText('loading')).toBeTruthy()
  arrive()
  expect(await screen.findByText('I am a')).toBeTruthy()
  expect(screen.queryByText('loading')).toBeNull()
  expect(screen.getByLabelText('typed')).toBe(field)
})

test('a script is asked for once, whoever draws it, and is drawn at once afterwards', async () => {
  const { Part, load, arrive } = partOf()
  const both = (
    <>
      <Part name="a" />
      <Part name="b" />
    </>
  )
  render(both)
  arrive()
  await screen.findByText('I am b')
  cleanup()
  render(both)
  expect(screen.getByText('I am a')).toBeTruthy()
  expect(load).toHaveBeenCalledTimes(1)
})

test('a part that went before its script came is not drawn', async () => {
  const { Part, arrive } = partOf()
  const { rerender } = render(<Part name="a" />)
  rerender(<p>another</p>)
  arrive()
  await Promise.resolve()
  expect(screen.queryByText('I am a')).toBeNull()
})
