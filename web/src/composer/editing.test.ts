import { emojiId } from '@guildhall/wire/message/emoji.ts'
import { describe, expect, it } from 'vitest'
import { type Draft, encodeDraft } from './draft/draftModel.ts'
import { backspace, insertEmoji } from './editing.ts'

const own = (name: string, id: string): Draft => ({
  text: `:${name}:`,
  picks: [{ start: 0, end: name.length + 2, token: `(emj)${name}(emj)[${id}]` }],
})
const nothing: Draft = { text: '', picks: [] }
const at = (marked: string) => {
  const from = marked.indexOf('|')
  const rest = marked.replace('|', '')
  const to = rest.indexOf('|')
  const written: Draft = { text: rest.replace('|', ''), picks: [] }
  return { written, caret: [from, to === -1 ? from : to] as const }
}
const show = ({ written: { text }, caret }: { readonly written: Draft; readonly caret: number }) =>
  `${text.slice(0, caret)}|${text.slice(caret)}`

describe('a picked emoji', () => {
  const smile = { id: emojiId('😀'), name: '😀' }
  const cheer = { id: '10/abc', name: '加油' }

  it.each([
    ['|', '😀|'],
    ['ab|cd', 'ab😀|cd'],
    ['a|bc|d', 'a😀|d'],
    ['`a|`', '`a😀|`'],
  ])('of Unicode is inserted into %j as %j', (before, after) => {
    const { written, caret } = at(before)
    expect(show(insertEmoji(written, caret, smile))).toBe(after)
  })

  it.each([
    ['|', ':加油:|', '(emj)加油(emj)[10/abc]'],
    ['a|bc|d', 'a:加油:|d', 'a(emj)加油(emj)[10/abc]d'],
    ['`a|`', '`a:加油:|`', '`a:加油:`'],
    ['```\n|\n```', '```\n:加油:|\n```', '```\n:加油:\n```'],
  ])('of a guild is inserted into %j as %j and sent as %j', (before, after, sent) => {
    const { written, caret } = at(before)
    const made = insertEmoji(written, caret, cheer)
    expect(show(made)).toBe(after)
    expect(encodeDraft(made.written)).toBe(sent)
  })
})

describe('backspace', () => {
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
    ['好:加油:|', '好:加油|'],
  ])('turns %j into %j', (before, after) => {
    const { written, caret } = at(before)
    expect(show(backspace(written, caret))).toBe(after)
  })

  it('deletes a picked emoji as a whole and keeps the one next to it', () => {
    const one = insertEmoji(nothing, [0, 0], { id: '10/a', name: '加油' })
    const two = insertEmoji(one.written, [4, 4], { id: '11/b', name: '加油' })
    expect(two.written.text).toBe(':加油::加油:')
    const left = backspace(two.written, [4, 4])
    expect(show(left)).toBe('|:加油:')
    expect(encodeDraft(left.written)).toBe('(emj)加油(emj)[11/b]')
    expect(backspace(own('加油', '10/a'), [1, 2]).written.text).toBe('')
  })
})
