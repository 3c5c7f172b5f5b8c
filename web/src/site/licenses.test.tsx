import { cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fakeServer } from '../testing/fakeServer.ts'
import { renderAt } from '../testing/renderAt.tsx'
import DocumentScreen from './DocumentScreen.tsx'
import LandingScreen from './LandingScreen.tsx'
import LicensesScreen from './LicensesScreen.tsx'

beforeEach(() => {
  localStorage.clear()
  fakeServer()
})
afterEach(cleanup)

test('the licences say what this software is under, what came with it, and have the texts of all packages', () => {
  renderAt('/licenses', '/licenses', <LicensesScreen />)
  expect(screen.getByRole('heading', { name: '开源许可' })).toBeDefined()
  const page = document.body.textContent
  for (const said of [
    'Apache License 2.0',
    'Arphic',
    'OpenCC',
    'pinyin-pro',
    'gemoji',
    'emojibase',
    'PostgreSQL',
  ])
    expect(page).toContain(said)
  const texts = screen.getByRole('region', { name: '第三方软件的许可原文' })
  expect(texts.textContent).toMatch(/^react 19\.\S+: MIT$/m)
  expect(texts.textContent).toMatch(/^fastify \S+: MIT$/m)
  // They are in one language for everybody.
  expect(texts.querySelector('pre')?.lang).toBe('en')
})

test.each([
  ['the landing page', '/', <LandingScreen key="it" />],
  ['the terms', '/terms', <DocumentScreen key="it" />],
])('%s links to them', async (_name, address, page) => {
  renderAt(address, address, page)
  expect((await screen.findByRole('link', { name: '开源许可' })).getAttribute('href')).toBe('/licenses')
})
