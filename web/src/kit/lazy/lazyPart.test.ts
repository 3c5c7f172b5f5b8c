// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { loadPart } from './lazyPart.ts'

afterEach(() => vi.restoreAllMocks())

const href = 'https://hall.example/assets/part.css'
const links = () => document.querySelectorAll(`link[href="${href}"]`)

test('a part whose style sheet did not come is loaded again with its style sheet', async () => {
  // Style sheets are not fetched here, and count as loaded.
  const { settings } = (window as unknown as { happyDOM: { settings: Record<string, unknown> } }).happyDOM
  settings.handleDisabledFileLoadingAsSuccess = true
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response())

  const tries: number[] = []
  const loaded = await loadPart(async () => {
    tries.push(links().length)
    if (tries.length > 1) return 'loaded'
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href })
    document.head.append(link)
    link.dispatchEvent(new Event('error'))
    throw new Error('Unable to preload CSS')
  })
  expect(loaded).toBe('loaded')
  expect(tries).toEqual([0, 1])

  // It has come: nothing asks for it again.
  expect(await loadPart(async () => 'other')).toBe('other')
  expect(links()).toHaveLength(1)
})
