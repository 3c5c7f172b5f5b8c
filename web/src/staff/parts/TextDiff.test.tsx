import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { partsOf, TextDiff } from './TextDiff.tsx'

const marked = (container: HTMLElement, tag: string) =>
  [...container.querySelectorAll(tag)].map(({ textContent }) => textContent)

test('of two names the changed characters are marked, each on its side', () => {
  const before = render(<TextDiff before="像素工坊" after="像素小坊" side="before" />)
  expect(marked(before.container, 'del')).toEqual(['工'])
  expect(before.container.textContent).toBe('像素工坊')
  const after = render(<TextDiff before="像素工坊" after="像素小坊" side="after" />)
  expect(marked(after.container, 'ins')).toEqual(['小'])
  expect(after.container.textContent).toBe('像素小坊')
})

test('longer texts are compared by words, also Chinese ones, and nothing of them is lost', () => {
  const before = '这里每天晚上八点开始直播，欢迎所有喜欢音乐的朋友加入我们。'
  const after = '这里每天早上九点开始直播，欢迎所有喜欢音乐的朋友加入我们，加微信领红包。'
  const parts = partsOf(before, after)
  const side = (isAfter: boolean) =>
    parts
      .filter((it) => !(isAfter ? it.removed : it.added))
      .map(({ value }) => value)
      .join('')
  expect([side(false), side(true)]).toEqual([before, after])
  expect(
    parts
      .filter(({ added }) => added)
      .map(({ value }) => value)
      .join(' '),
  ).toContain('微信')
  expect(parts.find(({ added, removed }) => !added && !removed)?.value).toBe('这里每天')
})

test('equal texts have no marks', () => {
  const { container } = render(<TextDiff before="一样" after="一样" side="after" />)
  expect(container.querySelector('ins, del')).toBeNull()
})
