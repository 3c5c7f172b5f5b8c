import { type Names, parse } from '@guildhall/wire/kmarkdown/kmarkdown.ts'
import { mentionText } from '@guildhall/wire/kmarkdown/text.ts'
import { goWildPath } from '@guildhall/wire/site/outside.ts'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setLocale } from '../kit/i18n.ts'
import { Toasts } from '../ui/overlay/Toast.tsx'
import { grammarOf, highlightSpans } from './highlight.ts'
import { KMarkdown } from './KMarkdown.tsx'

const names: Names = {
  user: (id) => (id === '7' ? '小满' : null),
  role: () => null,
  channel: () => null,
  emoji: (id) => (id === '1/seen' ? '/emojis/1/seen.png' : null),
  words: mentionText['zh-CN'],
}
const show = (source: string) =>
  render(
    <MemoryRouter>
      <div data-testid="words">
        <KMarkdown nodes={parse(source, { font: true })} names={names} reader={{ id: '7', roles: [5] }} />
      </div>
      <Toasts />
    </MemoryRouter>,
  )
const text = () => screen.getByTestId('words')

beforeEach(() => setLocale('zh-CN'))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('HTML stays text', () => {
  const source = '<img src=x onerror=alert(1)> &lt; **<b>x</b>**'
  show(source)
  expect(text().querySelector('img, b')).toBeNull()
  expect(text().textContent).toBe('<img src=x onerror=alert(1)> &lt; <b>x</b>')
})

test('only web addresses are linked, in a new tab without referrer', () => {
  show('[a](javascript:alert(1)) [b](data:text/html,x) [c](https://e.com/x)')
  const links = screen.getAllByRole('link')
  expect(links.map((it) => it.getAttribute('href'))).toEqual([goWildPath('https://e.com/x')])
  expect(links[0]?.getAttribute('target')).toBe('_blank')
  expect(links[0]?.getAttribute('rel')).toBe('noopener noreferrer nofollow')
})

test('an invite of this server opens in the page', () => {
  show(`${location.origin}/abc123 ${location.origin}/terms`)
  const [invite, page] = screen.getAllByRole('link')
  expect(invite?.getAttribute('href')).toBe('/invite/abc123')
  expect(invite?.getAttribute('target')).toBeNull()
  expect(page?.getAttribute('target')).toBe('_blank')
})

test('a tap reveals a spoiler; before that nothing inside can be focused', () => {
  show('(spl)the **end** https://e.com (emj)x(emj)[1/seen](spl)')
  expect(screen.queryByRole('link')).toBeNull()
  expect(text().querySelector('img')).toBeNull()
  const button = screen.getByRole('button', { name: '显示隐藏内容' })
  fireEvent.click(button)
  expect(screen.getByText('end').tagName).toBe('STRONG')
  expect(screen.getByRole('link').title).toBe('https://e.com')
  expect(document.activeElement?.textContent).toContain('the end')
})

test('quotes, dividers, styles and colours are rendered as such', () => {
  show('> 引用\n\na\n---\n*i* ~~d~~ (ins)u(ins) `c` (font)红(font)[danger]')
  const tags = ['blockquote', 'hr', 'em', 'del', 'ins', 'code', '[data-font=danger]']
  for (const tag of tags) expect(text().querySelectorAll(tag)).toHaveLength(1)
})

test('mentions of the reader are highlighted', () => {
  show('(met)7(met) (met)8(met) (rol)5(rol) (rol)6(rol) (met)all(met)')
  const own = [...text().querySelectorAll('[data-part=mention]')].map((it) => it.hasAttribute('data-own'))
  expect(own).toEqual([true, false, true, false, true])
})

test('a custom emoji is shown as its picture, or as its name without one', () => {
  show('(emj)加油(emj)[1/seen] (emj)没有(emj)[1/none]')
  const picture = screen.getByRole('img', { name: ':加油:' })
  expect(text().textContent).toContain(':没有:')
  fireEvent.error(picture)
  expect(text().textContent).toBe(':加油: :没有:')
})

test('code is copied unchanged', async () => {
  const writeText = vi.fn(async () => undefined)
  vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } })
  show('```ts\nconst a = 1\n```')
  fireEvent.click(screen.getByRole('button', { name: '复制代码' }))
  expect(await screen.findByText('已复制')).toBeTruthy()
  expect(writeText).toHaveBeenCalledWith('const a = 1\n')
})

test('a refused copy shows an error', async () => {
  vi.stubGlobal('navigator', { ...navigator, clipboard: undefined })
  show('```\nx\n```')
  fireEvent.click(screen.getByRole('button', { name: '复制代码' }))
  expect(await screen.findByText('复制失败')).toBeTruthy()
})

test('code is shown as plain text without highlighting', () => {
  show('```ts\nconst a = "<b>" // x\n```')
  expect(screen.getByRole('group', { name: 'ts 代码' }).textContent).toBe('const a = "<b>" // x')
})

test.each(['klingon', '__proto__', ''])('%j has no grammar', async (lang) => {
  expect(await grammarOf(lang)).toBeNull()
})

test.each([
  ['js', 'const a = `b`'],
  ['html', '<p class="a">x</p>'],
  ['c++', '#include <a>\nint main() { return 0; }'],
  ['yml', 'a:\n  - 1'],
  ['toml', '[a]\nb = 1'],
])('the spans of %s joined are the code itself', async (lang, code) => {
  const spans = highlightSpans(code, (await grammarOf(lang))!)
  expect(spans.map((it) => it.words).join('')).toBe(code)
  expect(spans.some((it) => it.kind !== null)).toBe(true)
})
