import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decoded, edited, encoded, isSound, triggerAt, type Written, withPick } from './token.ts'

const nothing: Written = { words: '', picks: [] }
const pick = (before: Written, start: number, end: number, label: string, token: string) =>
  withPick(before, { start, end }, { label, token })

describe('a text with names in it', () => {
  it('sends nobody whose name was edited', () => {
    const { written } = pick({ words: '@xm', picks: [] }, 0, 3, '@小满', '(met)7(met)')
    expect(encoded(written)).toBe('(met)7(met) ')
    expect(encoded(edited(written, '@小', 2))).toBe('@小')
    expect(encoded(edited(written, '@小a满 ', 3))).toBe('@小a满 ')
    expect(encoded(edited(written, '小满 ', 0))).toBe('小满 ')
    expect(encoded(edited(written, '', 0))).toBe('')
  })

  it('keeps two people of one name apart, whichever is deleted', () => {
    const one = pick({ words: '@', picks: [] }, 0, 1, '@小满', '(met)7(met)').written
    const two = pick({ ...one, words: `${one.words}@` }, 4, 5, '@小满', '(met)8(met)').written
    expect(encoded(two)).toBe('(met)7(met) (met)8(met) ')
    expect(encoded(edited(two, '@小满 ', 0))).toBe('(met)8(met) ')
    expect(encoded(edited(two, '@小满 ', 4))).toBe('(met)7(met) ')
    // Who knows which one it was.
    expect(encoded(edited(two, '@小满 ', null))).toBe('@小满 ')
  })

  it('keeps what was picked when something is written before, behind and between', () => {
    let it = pick({ words: '@', picks: [] }, 0, 1, '@小满', '(met)7(met)').written
    it = edited(it, `你好${it.words}`, 2)
    it = edited(it, `${it.words}在吗 #`, it.words.length + 4)
    it = pick(it, it.words.length - 1, it.words.length, '#闲聊', '(chn)20(chn)').written
    expect(encoded(it)).toBe('你好(met)7(met) 在吗 (chn)20(chn) ')
  })

  it('that was sent is edited as it reads, and what nobody knows stays as it is', () => {
    const content = '(met)7(met) `(met)7(met)` (met)9(met) (rol)3(rol)'
    const it = decoded(content, (tag, value) => (tag === 'met' && value === '7' ? '@小满' : null))
    expect(it.words).toBe('@小满 `@小满` (met)9(met) (rol)3(rol)')
    expect(encoded(it)).toBe(content)
  })
})

describe('the list opens', () => {
  const at = (words: string, caret = words.length) => triggerAt({ words, picks: [] }, caret)

  it.each(['', 'a', 'a@b', 'me@mail.cn', 'http://x/@y', '@小满 ', '@@', 'C#', 'x/#y', '&#12'])(
    'not at %j',
    (words) => {
      expect(at(words)).toBeNull()
    },
  )

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
  ] as const)('at %j', (words, sign, start, search) => {
    expect(at(words)).toEqual({ sign, start, search })
  })

  it('not on a name that was picked', () => {
    const { written } = pick(nothing, 0, 0, '@小满', '(met)7(met)')
    expect(triggerAt(written, 3)).toBeNull()
    expect(triggerAt(written, 2)).toBeNull()
  })
})

/** What a person does with the field: types, deletes, pastes over, picks. `at` and `span` are of the text's length. */
const deed = fc.record({
  at: fc.nat(1_000),
  span: fc.oneof(fc.constant(0), fc.nat(6)),
  typed: fc.constantFrom('', 'a', '@', '小', '@小满', '@小满 ', ' ', '@小满 @小满 ', '小满'),
  pick: fc.constantFrom(null, null, 7, 8, 9),
  caretKnown: fc.boolean(),
})

describe('whatever is typed, deleted, pasted and picked', () => {
  it('never sends anybody but who was picked there, each as often as it is left untouched at most', () => {
    fc.assert(
      fc.property(fc.array(deed, { maxLength: 14 }), (deeds) => {
        let now = nothing
        /** Beside the model: of each character who was picked there, by the place of the pick; typed ones are nobody's. */
        let truth: (string | null)[] = []
        let picks = 0
        for (const { at, span, typed, pick: id, caretKnown } of deeds) {
          const from = Math.min(at % (now.words.length + 1), now.words.length)
          const to = Math.min(from + span, now.words.length)
          if (id !== null) {
            picks += 1
            const own = `${id}:${picks}`
            const { written } = withPick(
              now,
              { start: from, end: to },
              { label: '@小满', token: `(met)${id}(met)` },
            )
            const isSpaced = written.words.length - (now.words.length - (to - from)) === 4
            truth = [...truth.slice(0, from), own, own, own, ...(isSpaced ? [null] : []), ...truth.slice(to)]
            now = written
          } else {
            const before = now.words
            const words = now.words.slice(0, from) + typed + now.words.slice(to)
            now = edited(now, words, caretKnown ? from + typed.length : null)
            // What is replaced by itself is as it was, for whoever looks at it.
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
          expect(isSound(now)).toBe(true)
          for (const it of now.picks) {
            expect(now.words.slice(it.start, it.end)).toBe('@小满')
            const id = /\d+/.exec(it.token)?.[0]
            const owners = new Set(truth.slice(it.start, it.end).map((own) => own?.split(':')[0]))
            expect([...owners]).toEqual([id])
          }
        }
      }),
      { numRuns: 5_000, seed: 20240721 },
    )
  })

  it('what was sent and is edited without a change is sent the same', () => {
    const piece = fc.constantFrom(
      '(met)7(met)',
      '(met)8(met)',
      '(rol)1(rol)',
      '(chn)2(chn)',
      '(met)',
      '7',
      '小',
      '`',
      ' ',
    )
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const content = pieces.join('')
        expect(encoded(decoded(content, (_, value) => (value === '8' ? null : `@${value}`)))).toBe(content)
      }),
      { numRuns: 2_000, seed: 20240722 },
    )
  })
})
