/**
 * No screen has a main landmark inside of another, not even while it waits: a picture of a moment may miss
 * that state, this looks at each.
 */
import { afterAll, afterEach, beforeEach, expect } from 'vitest'

const found = new Set<string>()

const observer = new MutationObserver(() => {
  const inner = document.querySelector('main main')
  if (inner) found.add(inner.outerHTML.slice(0, 200))
})
observer.observe(document, { childList: true, subtree: true })

beforeEach(() => found.clear())

afterEach(() => expect([...found], 'a main landmark inside of another').toEqual([]))

// What it is told of later has no document any more.
afterAll(() => observer.disconnect())
