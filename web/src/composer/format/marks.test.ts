import { expect, test } from 'vitest'
import type { Draft } from '../draft/draftModel.ts'
import { type Mark, marked } from './marks.ts'

/** A draft whose selection is between two bars, or whose caret is at one. */
const draftOf = (drawn: string): [Draft, readonly [number, number]] => {
  const [before = '', inside = '', behind] = drawn.split('|')
  const text = before + inside + (behind ?? '')
  const from = before.length
  return [{ text, picks: [] }, behind === undefined ? [from, from] : [from, from + inside.length]]
}
const drawn = (start: string, mark: Mark) => {
  const {
    written: { text },
    from,
    caret,
  } = marked(...draftOf(start), mark)
  const first = from ?? caret
  return `${text.slice(0, first)}|${first === caret ? '' : `${text.slice(first, caret)}|`}${text.slice(caret)}`
}

test.each([
  ['a word', 'bold', '今晚|开团|吧', '今晚**|开团|**吧'],
  ['its spaces stay outside', 'bold', 'a| b |c', 'a **|b|** c'],
  ['nothing chosen', 'italic', '今晚|', '今晚*|*'],
  ['struck', 'strike', '|七点|八点', '~~|七点|~~八点'],
  ['hidden', 'spoiler', '结局是|赢了|', '结局是(spl)|赢了|(spl)'],
  ['code', 'code', '|npm|', '`|npm|`'],
  ['code of several lines', 'code', 'so |a\nb| c', 'so \n```\n|a\nb|\n```\n c'],
  ['code with a backtick', 'code', '|a`b|', '```\n|a`b|\n```'],
  ['a link without its address', 'link', '看|攻略|', '看[攻略](|https://|)'],
  ['a link without its words', 'link', '|https://a.example/x|', '[|](https://a.example/x)'],
  ['a link without either', 'link', '|', '[|](https://)'],
  ['a quote of one line', 'quote', 'a\nb|c\n', 'a\n> bc|\n'],
  ['a quote ends before what follows', 'quote', '|a\nb|\nc', '|> a\n> b|\n\nc'],
  ['italic in bold', 'italic', '**|a|**', '***|a|***'],
] as const)('%s is marked', (_, mark, before, after) => expect(drawn(before, mark)).toBe(after))

test.each([
  ['around the selection', 'bold', '**|a|**', '|a|'],
  ['inside of it', 'bold', '|**a**|', '|a|'],
  ['with nothing between', 'strike', '~~|~~', '|'],
  ['one of three stars', 'italic', '***|a|***', '**|a|**'],
  ['two of three stars', 'bold', '***|a|***', '*|a|*'],
  ['hidden', 'spoiler', '(spl)|a|(spl)', '|a|'],
  ['a quote', 'quote', '|> a\n> b|', '|a\nb|'],
] as const)('the same format again is taken away: %s', (_, mark, before, after) =>
  expect(drawn(before, mark)).toBe(after),
)

test('a picked name stays picked, and is never cut in two', () => {
  const picks = [{ start: 1, end: 4, token: '(met)8(met)' }]
  const { written } = marked({ text: '找@小满 开团', picks }, [2, 6], 'bold')
  expect(written).toEqual({
    text: '找**@小满 开**团',
    picks: [{ start: 3, end: 6, token: '(met)8(met)' }],
  })
})
