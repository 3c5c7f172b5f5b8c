import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { lazy, Suspense, useState } from 'react'
import { BrowserRouter, Link, Route, Routes } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import { LeadOn } from './LeadOn.tsx'

const Slow = lazy(() => new Promise<never>(() => undefined))

function Guild() {
  const [isLoaded, setLoaded] = useState(false)
  return (
    <>
      <Link to="/slow">slow</Link>
      <button type="button" onClick={() => setLoaded(true)}>
        load
      </button>
      {isLoaded && <LeadOn to="/room" />}
    </>
  )
}

const show = () =>
  render(
    <BrowserRouter>
      <Suspense>
        <Routes>
          <Route path="/guild" element={<Guild />} />
          <Route path="/slow" element={<Slow />} />
          <Route path="/room" element={<p>the room</p>} />
        </Routes>
      </Suspense>
    </BrowserRouter>,
  )

afterEach(cleanup)

test('who has gone elsewhere is not led on, although this page is still drawn', async () => {
  history.replaceState(null, '', '/guild')
  show()
  fireEvent.click(screen.getByRole('link', { name: 'slow' }))
  fireEvent.click(screen.getByRole('button', { name: 'load' }))
  await expect.poll(() => location.pathname).toBe('/slow')
  expect(screen.queryByText('the room')).toBeNull()
})

test('a page leads on once it knows where to', async () => {
  history.replaceState(null, '', '/guild')
  show()
  fireEvent.click(screen.getByRole('button', { name: 'load' }))
  expect(await screen.findByText('the room')).toBeTruthy()
})
