/**
 * No screen has a main landmark inside of another, not even while it waits: a picture of a moment may miss
 * that state, this looks at each.
 */
import { afterEach, beforeEach, expect } from 'vitest'

const found = new Set<string>()

new MutationObserver(() => {
  const inner = document.querySelector('main main')
  if (inner) found.add(inner.outerHTML.slice(0, 200))
}).observe(document, { childList: true, subtree: true })

beforeEach(() => found.clear())

afterEach(() => expect([...found], 'a main landmark inside of another').toEqual([]))
