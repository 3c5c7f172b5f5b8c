import { describe, expect, it } from 'vitest'
import { withInserted, withoutLast } from './typed.ts'

const at = (marked: string) => {
  const from = marked.indexOf('|')
  const rest = marked.replace('|', '')
  const to = rest.indexOf('|')
  const words = rest.replace('|', '')
  return { words, caret: [from, to === -1 ? from : to] as const }
}
const show = ({ words, caret }: ReturnType<typeof withInserted>) =>
  `${words.slice(0, caret[0])}|${words.slice(caret[0])}`

describe('something picked', () => {
  it.each([
    ['|', '😀', '😀|'],
    ['ab|cd', '😀', 'ab😀|cd'],
    ['a|bc|d', '(emj)加油(emj)[1/a]', 'a(emj)加油(emj)[1/a]|d'],
  ])('goes into %j as %j', (before, what, after) => {
    expect(show(withInserted(at(before), what))).toBe(after)
  })
})

describe('the key that erases', () => {
  it.each([
    ['|', '|'],
    ['|ab', '|ab'],
    ['ab|', 'a|'],
    ['a|b', '|b'],
    ['a|bc|d', 'a|d'],
    ['好|', '|'],
    ['好😀|', '好|'],
    ['好👍🏽|x', '好|x'],
    ['👨‍👩‍👧|', '|'],
    ['❤️|', '|'],
    ['🇨🇳🇯🇵|', '🇨🇳|'],
    ['好(emj)加油(emj)[10/abc]|呀', '好|呀'],
    ['(emj)加油(emj)[10/abc|]', '(emj)加油(emj)[10/ab|]'],
  ])('makes of %j %j', (before, after) => {
    expect(show(withoutLast(at(before)))).toBe(after)
  })
})
