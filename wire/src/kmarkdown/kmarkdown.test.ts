import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type KmNode, mentionsIn, type Names, parse, plain } from './kmarkdown.ts'
import { mentionWords } from './text.ts'

const show = (node: KmNode): string => {
  if (node.type === 'text') return node.content
  if (node.tagName === 'a') return `<a ${node.href} ${node.children.map(show).join('')}>`
  if (node.tagName === 'emj') return `<emj ${node.name} ${node.id}>`
  if ('children' in node) return `<${node.tagName} ${node.children.map(show).join('')}>`
  return `<${node.tagName} ${node.value}>`
}

const cases = readFileSync(new URL('../fixtures/kmarkdown.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('# '))
  .map((line) => line.split(' => ') as [string, string])

const names: Names = {
  user: (id) => (id === '12' ? '小满' : null),
  role: (id) => (id === 7 ? '管理员' : null),
  channel: (id) => (id === '34' ? '闲聊' : null),
  words: mentionWords.zh,
}

describe('a KMarkdown text', () => {
  it.each(cases)('%s', (source, tree) => {
    expect(parse(source).map(show).join('')).toBe(tree)
  })

  it('loses its right-to-left overrides', () => {
    expect(parse('a\u202Eb\u200Fc')).toEqual([{ type: 'text', content: 'abc' }])
  })

  it('mentions each person once, and nobody inside code', () => {
    expect(
      mentionsIn(parse('(met)12(met) **(met)12(met)** `(met)13(met)` (rol)7(rol) (chn)34(chn)')),
    ).toEqual({
      users: ['12'],
      roles: [7],
      channels: ['34'],
      all: false,
      here: false,
    })
  })

  it('mentions everyone by role 0', () => {
    expect(mentionsIn(parse('(rol)0(rol)')).all).toBe(true)
  })

  it('reads as plain words, with what is gone named so', () => {
    const source =
      '**(met)12(met)** (met)99(met) (rol)7(rol) (rol)8(rol) (chn)34(chn) (chn)35(chn) (met)all(met)'
    expect(plain(parse(source), names)).toBe(
      '@小满 用户不存在 @管理员 @已删除角色 #闲聊 #频道已删除 @全体成员',
    )
  })

  it('never throws, never links to anything but the web, and keeps plain text as it was', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '*',
        '**',
        '***',
        '~~',
        '`',
        '[',
        '](',
        ')',
        '(ins)',
        '(spl)',
        '(met)',
        '(rol)',
        '(emj)',
        '\\',
      ),
      fc.constantFrom(
        'https://a.b',
        'javascript:x',
        '1',
        'all',
        '\n',
        ' ',
        '小满',
        '\u202E',
        '\ud83d',
        '<b>',
      ),
      fc.string({ unit: 'binary', maxLength: 6 }),
    )
    const walk = (node: KmNode): KmNode[] =>
      node.type === 'tag' && 'children' in node ? [node, ...node.children.flatMap(walk)] : [node]
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        for (const node of parse(pieces.join('')).flatMap(walk)) {
          if (node.type === 'tag' && node.tagName === 'a') expect(node.href).toMatch(/^https?:\/\/\S+$/i)
          if (node.type === 'text') expect(node.content).not.toBe('')
        }
      }),
      { numRuns: 20_000, seed: 20240717 },
    )
  })

  it.each(['[', '](', '*', '**a', '`', '(ins)', '(met)', '[a](', '~~x', '\\', 'https://', '[*', '(emj)a'])(
    'repeated fifty thousand times, %s is still read',
    (piece) => {
      expect(parse(piece.repeat(50_000)).length).toBeGreaterThan(0)
    },
  )
})
