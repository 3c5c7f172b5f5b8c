import { fail } from '@guildhall/wire/failure.ts'
import { type Block, siteDocument } from '@guildhall/wire/site/site.ts'
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fakeServer } from '../testing/fakeServer.ts'
import { renderAt } from '../testing/renderAt.tsx'
import DocumentScreen from './DocumentScreen.tsx'
import LandingScreen from './LandingScreen.tsx'

const words = (text: string, kind: Block['kind'] = 'words', url = ''): Block => ({
  kind,
  spans: [{ text, bold: false, url }],
})

let server: ReturnType<typeof fakeServer>
beforeEach(() => {
  localStorage.clear()
  server = fakeServer()
})
afterEach(() => {
  cleanup()
  document.getElementById('landing')?.remove()
})

test('a document that the server does not answer can be asked for again', async () => {
  server.on(siteDocument, () => fail('internal'))
  renderAt('/terms', '/terms', <DocumentScreen />)
  const again = await screen.findByRole('button', { name: '重试' })
  server.on(siteDocument, () => ({ locale: 'zh-CN' as const, blocks: [words('守则')] }))
  fireEvent.click(again)
  expect(await screen.findByText('守则')).toBeDefined()
})

test('HTML in the words of an operator is text', async () => {
  server.on(siteDocument, () => ({
    locale: 'zh-CN' as const,
    blocks: [words('<img src=x onerror=alert(1)>')],
  }))
  renderAt('/privacy', '/privacy', <DocumentScreen />)
  expect(await screen.findByText('<img src=x onerror=alert(1)>')).toBeDefined()
  expect(document.querySelector('article img')).toBeNull()
})

test('a document has its headings in order, lists, links, and its language', async () => {
  server.on(siteDocument, () => ({
    locale: 'en' as const,
    blocks: [
      words('First', 'heading'),
      words('Title', 'title'),
      words('Below', 'heading'),
      words('a', 'bullet'),
      words('b', 'bullet'),
      words('c', 'number'),
      words('out', 'words', 'https://a.example'),
      words('mail', 'words', 'mailto:a@a.example'),
    ],
  }))
  renderAt('/terms', '/terms', <DocumentScreen />)
  expect(await screen.findByRole('heading', { name: 'First', level: 2 })).toBeDefined()
  expect(screen.getByRole('heading', { name: 'Title', level: 2 })).toBeDefined()
  expect(screen.getByRole('heading', { name: 'Below', level: 3 })).toBeDefined()
  expect(screen.getAllByRole('list').map((it) => it.children.length)).toEqual([2, 1])
  expect(screen.getByRole('link', { name: 'out' }).getAttribute('rel')).toBe('noopener noreferrer')
  expect(screen.getByRole('link', { name: 'mail' }).hasAttribute('target')).toBe(false)
  expect(document.querySelector('article')?.lang).toBe('en')
  expect(server.received(siteDocument)[0]).toEqual({ name: 'terms', locale: 'zh-CN' })
})

test('the start page says the operator’s words in place of the product’s, in whatever language they are', () => {
  const data = document.createElement('script')
  data.type = 'application/json'
  data.id = 'landing'
  data.textContent = JSON.stringify({ en: [words('Somebody is up'), words('Come in')] })
  document.body.append(data)
  renderAt('/', '/', <LandingScreen />)
  expect(screen.getByText('Somebody is up')).toBeDefined()
  expect(screen.getByText('Come in')).toBeDefined()
  expect(screen.queryByText('和朋友，在同一个大厅里')).toBeNull()
})
