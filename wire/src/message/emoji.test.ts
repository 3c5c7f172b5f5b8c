import { describe, expect, it } from 'vitest'
import { emojiCharacters, emojiId, readEmoji } from './emoji.ts'

const known = new Set(['📢', '❤️', '👨‍👩‍👧'])
const read = (text: string) => readEmoji(text, (characters) => known.has(characters))

describe('an emoji as callers write it', () => {
  it.each([
    '',
    'a',
    '哈',
    '📢📢',
    '[#128226]',
    '[#9999999;]',
    '(emj)x(emj)[]',
    '12',
    'a/b',
    '<img>',
    '1/../2',
  ])('%j is none', (text) => {
    expect(read(text)).toBeNull()
  })

  it.each(['📢', '[#128226;]', '(emj)x(emj)[[#128226;]'])('%s is a loudspeaker or refused', (text) => {
    const it = read(text)
    if (it) expect(it).toEqual({ id: '[#128226;]', name: '📢' })
  })

  it('is the same with and without the variation selector for colour', () => {
    expect(read('❤')).toEqual({ id: '[#10084;][#65039;]', name: '❤️' })
    expect(read('❤️')).toEqual(read('[#10084;]'))
    expect(read('📢️')).toEqual(read('📢'))
  })

  it('may be a sequence, or a picture of a guild with or without its name', () => {
    expect(read('👨‍👩‍👧')?.id).toBe('[#128104;][#8205;][#128105;][#8205;][#128103;]')
    expect(read('3553226959/42829/7ydO')).toEqual({ id: '3553226959/42829/7ydO', name: '' })
    expect(read('(emj)开心(emj)[10/abc]')).toEqual({ id: '10/abc', name: '开心' })
  })

  it('has its characters when it is a Unicode emoji, and null when it is a picture', () => {
    expect(emojiCharacters(emojiId('👨‍👩‍👧'))).toBe('👨‍👩‍👧')
    expect(emojiCharacters('10/abc')).toBeNull()
  })
})
