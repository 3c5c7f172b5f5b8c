import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { inviteCodeOf } from '../invite/inviteLink.ts'
import { emojiAlone, emojiParts } from './jumbo.ts'
import {
  type KmNode,
  mentionsIn,
  type Names,
  parse,
  parseLegacy,
  plain,
  showsAnything,
  withShortcodes,
} from './kmarkdown.ts'
import { mentionText } from './text.ts'

const show = (node: KmNode): string => {
  if (node.type === 'text') return node.content
  const inner = 'children' in node ? node.children.map(show).join('') : ''
  if (node.tagName === 'hr') return '<hr>'
  if (node.tagName === 'a') return `<a ${node.href} ${inner}>`
  if (node.tagName === 'emj') return `<emj ${node.name} ${node.id}>`
  if (node.tagName === 'codeblock') return `<codeblock ${node.lang} ${node.value}>`
  if (node.tagName === 'font') return `<font ${node.theme}${node.size && `/${node.size}`} ${inner}>`
  if ('children' in node) return `<${node.tagName} ${inner}>`
  return `<${node.tagName} ${node.value}${node.name ? ` ${node.name}` : ''}>`
}

/** In the fixtures a line break before a block's own character is written `\n`; `\n stays` is a backslash. */
const unfold = (written: string) =>
  written === '\\n stays' ? written : written.replaceAll('\\n', '\n').replaceAll('\\u200d', '\u200d')
const casesOf = (file: string) =>
  readFileSync(new URL(`../fixtures/${file}.txt`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('# '))
    .map((line) => line.split(' => ') as [string, string])

const names: Names = {
  user: (id, name) => (id === '12' || (name === '小满' && id === '0049') ? '小满' : null),
  role: (id) => (id === 7 ? '管理员' : null),
  channel: (id) => (id === '34' ? '闲聊' : null),
  words: mentionText['zh-CN'],
}
const read = (source: string) => plain(parse(source), names)

describe('a KMarkdown text', () => {
  it.each(casesOf('kmarkdown'))('%s', (source, tree) => {
    expect(parse(unfold(source)).map(show).join('')).toBe(unfold(tree))
  })

  it.each(casesOf('kmarkdown-card'))('in a card: %s', (source, tree) => {
    expect(parse(source, { font: true }).map(show).join('')).toBe(tree)
  })

  it('is parsed without right-to-left overrides', () => {
    expect(parse('a\u202Eb\u200Fc\u202D\u2067d\u2069')).toEqual([{ type: 'text', content: 'abcd' }])
  })

  it('has normalized line breaks', () => {
    expect(parse('> a\r\n\r\nb').map(show).join('')).toBe('<blockquote a>b')
  })

  it('mentions each person and emoji once, and nobody inside code', () => {
    const source =
      '(met)12(met) **(met)12(met)** `(met)13(met)` ```\n(met)14(met)``` > (met)all(met) (rol)7(rol) (chn)34(chn) (emj)a(emj)[10/abc]**(emj)b(emj)[10/abc]**'
    expect(mentionsIn(parse(source))).toEqual({
      users: ['12'],
      named: [],
      emoji: ['10/abc'],
      roles: [7],
      channels: ['34'],
      all: true,
      here: false,
    })
    expect(mentionsIn(parse('`(met)all(met)` ```(met)here(met)```'))).toMatchObject({
      all: false,
      here: false,
    })
  })

  it('mentions users in quotes, spoilers and coloured text', () => {
    const source = '> (met)1(met)\n\n(spl)(met)2(met)(spl) (font)(rol)3(rol)(font)[info]'
    expect(mentionsIn(parse(source, { font: true }))).toMatchObject({ users: ['1', '2'], roles: [3] })
  })

  it('mentions everyone by role 0', () => {
    expect(mentionsIn(parse('(rol)0(rol)')).all).toBe(true)
  })

  it('becomes plain text, with a placeholder for deleted targets', () => {
    const source =
      '**(met)12(met)** (met)99(met) (rol)7(rol) (rol)8(rol) (chn)34(chn) (chn)35(chn) (met)all(met)'
    expect(read(source)).toBe('@小满 用户不存在 @管理员 @已删除角色 #闲聊 #频道已删除 @全体成员')
  })

  it.each([
    ['> a\n> b\n\nc', 'a\nb\nc'],
    ['a\n---\nb', 'a\nb'],
    ['a\n```js\nx()\n```\nb', 'a\nx()\nb'],
    ['```x``` b', 'x\n b'],
    ['**a** ~~b~~ (ins)c(ins) (spl)d(spl) `e`', 'a b c d e'],
    ['(emj)加油(emj)[1/a] [words](https://e.com)', '加油 words'],
    ['**a\n> b\n\n**', 'a\nb'],
  ])('%j reads %j', (source, message) => {
    expect(read(source)).toBe(message)
  })
})

describe('a plain text of an old client', () => {
  it.each(casesOf('legacy'))('%s', (source, tree) => {
    expect(parseLegacy(source).map(show).join('')).toBe(tree)
  })

  it('mentions by id, and by name and number', () => {
    expect(mentionsIn(parseLegacy('@小满#0049 @小满#0049 @阿北#12345 @role:7;'))).toMatchObject({
      users: ['0049', '12345'],
      named: [
        { username: '小满', identify_num: '0049' },
        { username: '阿北', identify_num: '12345' },
      ],
      roles: [7],
    })
    expect(plain(parseLegacy('@小满#0049 @阿北#0001'), names)).toBe('@小满 用户不存在')
  })
})

describe('a shortcode', () => {
  const known = (name: string) => ({ smile: '😄', '100': '💯' })[name] ?? null
  it.each([
    [':nobody: :smile', ':nobody: :smile'],
    ['\\:smile: `:smile:` ```:smile:```', '\\:smile: `:smile:` ```:smile:```'],
    ['https://a.b:100:/ [:smile:](https://a.b/:100:)', 'https://a.b:100:/ [😄](https://a.b/:100:)'],
    ['**:smile:** 10:100:smile:', '**😄** 10💯smile:'],
  ])('%s is stored as %s', (source, stored) => {
    expect(withShortcodes(source, known)).toBe(stored)
  })
})

describe('a text of only emoji', () => {
  it.each([
    ['', 0],
    ['12', 0],
    ['©', 0],
    ['😀 hi', 0],
    ['😀'.repeat(11), 0],
    ['**😀**', 0],
    ['😀', 1],
    ['👍🏽 ❤️ 🇨🇳 1️⃣', 4],
    ['👨‍👩‍👧‍👦🏳️‍🌈', 2],
    ['(emj)a(emj)[1/b]\n😀', 2],
  ])('%s has %i', (source, count) => {
    expect(emojiAlone(parse(source))).toBe(count)
  })
})

describe('an invite link', () => {
  const origin = 'https://guild.example'
  it.each([
    ['https://other.example/abc123', null],
    ['https://guild.example.evil.com/abc123', null],
    ['https://guild.example/privacy', null],
    ['https://guild.example/channels/1/2', null],
    ['https://guild.example/a', null],
    ['https://guild.example/abc123', 'abc123'],
    ['https://guild.example/invite/abc123?x=1', 'abc123'],
  ])('%s leads to %s', (href, code) => {
    expect(inviteCodeOf(href, origin)).toBe(code)
  })
})

it.each([
  ['words alone 1 # * ©', ['words alone 1 # * ©']],
  ['好耶😄🎉！', ['好耶', '[😄🎉]', '！']],
  ['👨‍👩‍👧 and 👍🏽', ['[👨‍👩‍👧]', ' and ', '[👍🏽]']],
  ['❤️ 1️⃣ 🇨🇳', ['[❤️]', ' ', '[1️⃣]', ' ', '[🇨🇳]']],
  ['', ['']],
])('the emoji of %j are told apart from its words', (source, parts) => {
  expect(emojiParts(source).map(({ text, isEmoji }) => (isEmoji ? `[${text}]` : text))).toEqual(parts)
})

describe('a link whose target begins with the host of the page', () => {
  const origin = 'https://guild.example:8443'
  it.each([
    ['[x](guild.example:8443/invite/abc123)', `${origin}/invite/abc123`],
    ['[x](GUILD.example:8443/)', `${origin}/`],
    ['[x](https://other.example/a)', 'https://other.example/a'],
  ])('%j leads to %j', (source, href) => {
    expect(parse(source, { origin })).toEqual([
      { type: 'tag', tagName: 'a', href, children: [{ type: 'text', content: 'x' }] },
    ])
  })
  it.each(['[x](guild.example.evil/a)', '[x](other.example/a)', '[x](/a)'])('%j is text', (source) => {
    expect(parse(source, { origin })).toEqual([{ type: 'text', content: source }])
  })
  it('is text where the page has no address', () => {
    expect(parse('[x](guild.example/a)')).toEqual([{ type: 'text', content: '[x](guild.example/a)' }])
  })
})

describe('a message shows something', () => {
  it.each([
    'a',
    '小',
    '😀',
    '❤️',
    '---',
    '(met)1(met)',
    '(emj)w(emj)[1/a]',
    '****',
    '`a`',
    '> a',
    '\u200b(ins)a(ins)',
  ])('by %j', (content) => expect(showsAnything(content)).toBe(true))
  it.each([
    '',
    ' \n',
    '\u200b',
    '\u2800',
    '\u00ad',
    '\ufe0f',
    '**\u200b**',
    '> \u2800',
    '`\u200b`',
    '(spl)\u3164(spl)',
    '```\n\u200b\n```',
  ])('not by %j', (content) => expect(showsAnything(content)).toBe(false))
})
