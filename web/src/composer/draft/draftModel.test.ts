import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeDraft } from './decodeDraft.ts'
import {
  type Draft,
  encodeDraft,
  fragmentOf,
  isInCode,
  isValidDraft,
  triggerAt,
  withEdit,
  withEditAtCaret,
  withFragment,
  withPick,
} from './draftModel.ts'

const nothing: Draft = { text: '', picks: [] }
const pick = (before: Draft, start: number, end: number, label: string, token: string) =>
  withPick(before, { start, end }, { label, token })

describe('a draft with mentions', () => {
  it('sends no mention whose name was edited', () => {
    const { written } = pick({ text: '@xm', picks: [] }, 0, 3, '@小满', '(met)7(met)')
    expect(encodeDraft(written)).toBe('(met)7(met) ')
    expect(encodeDraft(withEdit(written, '@小', 2))).toBe('@小')
    expect(encodeDraft(withEdit(written, '@小a满 ', 3))).toBe('@小a满 ')
    expect(encodeDraft(withEdit(written, '小满 ', 0))).toBe('小满 ')
    expect(encodeDraft(withEdit(written, '', 0))).toBe('')
  })

  it('distinguishes two people with the same name when one is deleted', () => {
    const one = pick({ text: '@', picks: [] }, 0, 1, '@小满', '(met)7(met)').written
    const two = pick({ ...one, text: `${one.text}@` }, 4, 5, '@小满', '(met)8(met)').written
    expect(encodeDraft(two)).toBe('(met)7(met) (met)8(met) ')
    expect(encodeDraft(withEdit(two, '@小满 ', 0))).toBe('(met)8(met) ')
    expect(encodeDraft(withEdit(two, '@小满 ', 4))).toBe('(met)7(met) ')
    // Which of the two was deleted is ambiguous.
    expect(encodeDraft(withEdit(two, '@小满 ', null))).toBe('@小满 ')
  })

  it('keeps picks when text is typed before, after and between them', () => {
    let it = pick({ text: '@', picks: [] }, 0, 1, '@小满', '(met)7(met)').written
    it = withEdit(it, `你好${it.text}`, 2)
    it = withEdit(it, `${it.text}在吗 #`, it.text.length + 4)
    it = pick(it, it.text.length - 1, it.text.length, '#闲聊', '(chn)20(chn)').written
    expect(encodeDraft(it)).toBe('你好(met)7(met) 在吗 (chn)20(chn) ')
  })

  it('decodes a sent message to names and keeps unknown ids as they are', () => {
    const content = '(met)7(met) `(met)7(met)` (met)9(met) (rol)3(rol)'
    const it = decodeDraft(content, (node) => (node.tagName === 'met' && node.value === '7' ? '@小满' : null))
    // In code a token would be shown as its characters.
    expect(it.text).toBe('@小满 `(met)7(met)` (met)9(met) (rol)3(rol)')
    expect(encodeDraft(it)).toBe(content)
  })
})

describe('a custom emoji in a draft', () => {
  const emoji = (name: string, id: string): Draft => ({
    text: `:${name}:`,
    picks: [{ start: 0, end: name.length + 2, token: `(emj)${name}(emj)[${id}]` }],
  })
  const cheer = emoji('加油', '10/a')
  const named = new Map([
    ['加油', '(emj)加油(emj)[10/a]'],
    ['gg', '(emj)gg(emj)[10/b]'],
  ])

  it('is deleted as a whole, and becomes plain text when something is typed into it', () => {
    const { written } = withFragment({ text: '好呀', picks: [] }, 1, 1, cheer)
    expect(written.text).toBe('好:加油:呀')
    expect(withEditAtCaret(written, '好:加油呀', 4)).toEqual({
      written: { text: '好呀', picks: [] },
      caret: 1,
    })
    expect(withEditAtCaret(written, '好加油:呀', 1)).toEqual({
      written: { text: '好呀', picks: [] },
      caret: 1,
    })
    expect(withEditAtCaret(written, '好:油:呀', 2).written.text).toBe('好呀')
    expect(encodeDraft(withEdit(written, '好:加x油:呀', 4))).toBe('好:加x油:呀')
  })

  it('is pasted with its whole text, and is plain text when only half of it is copied', () => {
    const { written } = withFragment({ text: '好呀', picks: [] }, 1, 1, cheer)
    const whole = fragmentOf(written, 0, 5)
    expect(encodeDraft(withFragment({ text: '', picks: [] }, 0, 0, whole).written)).toBe(
      '好(emj)加油(emj)[10/a]',
    )
    expect(fragmentOf(written, 0, 4)).toEqual({ text: '好:加油', picks: [] })
  })

  it.each([
    ['`:加油:`'],
    ['``` :加油: ```'],
    ['\\:加油:'],
    ['http://x.cn/:gg:'],
    [':加:'],
    ['：加油：'],
    [':加 油:'],
    [':开饭:'],
  ])('is not parsed from the typed text %j', (text) => {
    expect(encodeDraft({ text, picks: [] }, named)).toBe(text)
  })

  it.each([
    [':加油:', '(emj)加油(emj)[10/a]'],
    ['12:加油:30', '12(emj)加油(emj)[10/a]30'],
    [':加油::加油:', '(emj)加油(emj)[10/a](emj)加油(emj)[10/a]'],
    [':a:加油:', ':a(emj)加油(emj)[10/a]'],
    ['`a` :加油: `:加油:`', '`a` (emj)加油(emj)[10/a] `:加油:`'],
  ])('is parsed from the typed text %j', (text, sent) => {
    expect(encodeDraft({ text, picks: [] }, named)).toBe(sent)
  })

  it('stays the picked one when another emoji has the same name', () => {
    expect(encodeDraft(emoji('加油', '11/b'), named)).toBe('(emj)加油(emj)[11/b]')
  })
})

describe('a pick that is inside code when it is sent', () => {
  const call = (label: string) => pick(nothing, 0, 0, label, '(met)7(met)').written

  it('is sent as the shown name', () => {
    const it = withEdit(withEdit(call('@小满'), '`@小满 ', 1), '`@小满 `', 6)
    expect(encodeDraft(it)).toBe('`@小满 `')
    expect(encodeDraft(withEdit(it, '`@小满 ', 5))).toBe('`(met)7(met) ')
  })

  it('is sent as the shown name also when the name contains a backtick', () => {
    const it = withEdit(withEdit(call('@`x'), '`@`x ', 1), '`@`x `', 6)
    expect(encodeDraft(it)).toBe('`@`x `')
  })
})

describe('the caret is in code', () => {
  it.each([
    ['`|`'],
    ['`a|b`'],
    ['a `b|'],
    ['a`|', false],
    ['小`a|'],
    ['`a` b|', false],
    ['`a|\n` b'],
    ['`a\nb|', false],
    ['```\na|'],
    ['```\na\n\nb|\n```'],
    ['```js\n|'],
    ['```\na\n```|', false],
    ['```\na\n```\nb|', false],
    ['\\`a|', false],
    ['|`a`', false],
    ['`a`|', false],
    ['a|', false],
  ] as const satisfies readonly (readonly [string, false?])[])('in %j: %j', (marked, is: boolean = true) => {
    expect(isInCode(marked.replace('|', ''), marked.indexOf('|'))).toBe(is)
  })

  it('the list does not open in code', () => {
    expect(triggerAt({ text: '`@小', picks: [] }, 3)).toBeNull()
    expect(triggerAt({ text: '`#小`', picks: [] }, 3)).toBeNull()
    expect(triggerAt({ text: '`a` @小', picks: [] }, 6)).not.toBeNull()
  })
})

describe('the list opens', () => {
  const at = (text: string, caret = text.length) => triggerAt({ text, picks: [] }, caret)

  it.each([
    '',
    'a',
    'a@b',
    'me@mail.cn',
    'http://x/@y',
    '@小满 ',
    '@@',
    'C#',
    'x/#y',
    '&#12',
    ':D',
    ':)',
    '12:30',
    'a:bc',
    'http://x',
    '注意:今天',
    '::开心',
    ':笑 ',
    ':ok:',
  ])('not at %j', (text) => {
    expect(at(text)).toBeNull()
  })

  it.each([
    ['@', '@', 0, ''],
    ['@xm', '@', 0, 'xm'],
    ['你好@小', '@', 2, '小'],
    ['a @b', '@', 2, 'b'],
    ['（@b', '@', 1, 'b'],
    ['x\n@b', '@', 2, 'b'],
    ['@小满#00', '@', 0, '小满#00'],
    ['#', '#', 0, ''],
    ['去#闲', '#', 1, '闲'],
    [':smi', ':', 0, 'smi'],
    ['好的:ok', ':', 2, 'ok'],
    [':+1', ':', 0, '+1'],
    ['好，:笑', ':', 2, '笑'],
  ] as const)('at %j', (text, sign, start, search) => {
    expect(at(text)).toEqual({ sign, start, search })
  })

  it('the list does not open on a picked name', () => {
    const { written } = pick(nothing, 0, 0, '@小满', '(met)7(met)')
    expect(triggerAt(written, 3)).toBeNull()
    expect(triggerAt(written, 2)).toBeNull()
  })
})

/**
 * An edit in the field: type, delete, replace or pick. `at` and `span` are fractions of the text's length.
 */
const step = fc.record({
  at: fc.nat(1_000),
  span: fc.oneof(fc.constant(0), fc.nat(6)),
  typed: fc.constantFrom('', 'a', '@', '小', '@小满', '@小满 ', ' ', '@小满 @小满 ', '小满'),
  pick: fc.constantFrom(null, null, 7, 8, 9),
  caretKnown: fc.boolean(),
})

describe('random edits of a draft', () => {
  it('send only the picked mentions, each at most as often as it is untouched', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 14 }), (steps) => {
        let now = nothing
        /** Reference model: the pick that each character belongs to; null for typed characters. */
        let truth: (string | null)[] = []
        let picks = 0
        for (const { at, span, typed, pick: id, caretKnown } of steps) {
          const from = Math.min(at % (now.text.length + 1), now.text.length)
          const to = Math.min(from + span, now.text.length)
          if (id !== null) {
            picks += 1
            const own = `${id}:${picks}`
            const { written } = withPick(
              now,
              { start: from, end: to },
              { label: '@小满', token: `(met)${id}(met)` },
            )
            const isSpaced = written.text.length - (now.text.length - (to - from)) === 4
            truth = [...truth.slice(0, from), own, own, own, ...(isSpaced ? [null] : []), ...truth.slice(to)]
            now = written
          } else {
            const before = now.text
            const text = now.text.slice(0, from) + typed + now.text.slice(to)
            now = withEdit(now, text, caretKnown ? from + typed.length : null)
            // Replacing text by the same text changes nothing.
            const old = before.slice(from, to)
            let head = 0
            while (head < Math.min(old.length, typed.length) && old[head] === typed[head]) head += 1
            let tail = 0
            while (
              tail < Math.min(old.length, typed.length) - head &&
              old.at(-1 - tail) === typed.at(-1 - tail)
            )
              tail += 1
            const made = [...typed].slice(head, typed.length - tail).map(() => null)
            truth = [...truth.slice(0, from + head), ...made, ...truth.slice(to - tail)]
          }
          expect(isValidDraft(now)).toBe(true)
          for (const it of now.picks) {
            expect(now.text.slice(it.start, it.end)).toBe('@小满')
            const id = /\d+/.exec(it.token)?.[0]
            const owners = new Set(truth.slice(it.start, it.end).map((own) => own?.split(':')[0]))
            expect([...owners]).toEqual([id])
          }
        }
      }),
      { numRuns: 5_000, seed: 20240721 },
    )
  })

  it('send the same text again when a sent message is edited without a change', () => {
    const piece = fc.constantFrom(
      '(met)7(met)',
      '(met)8(met)',
      '(rol)1(rol)',
      '(chn)2(chn)',
      '(emj)加油(emj)[10/a]',
      ':加油:',
      'http://x.cn/',
      '\\',
      '```',
      '\n',
      '(met)',
      '7',
      '小',
      '`',
      ' ',
    )
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const content = pieces.join('')
        const labelled = decodeDraft(content, (node) => {
          if (node.tagName === 'emj') return `:${node.name}:`
          return node.value === '8' ? null : `@${node.value}`
        })
        expect(encodeDraft(labelled)).toBe(content)
        expect(isValidDraft(labelled)).toBe(true)
      }),
      { numRuns: 2_000, seed: 20240722 },
    )
  })
})
