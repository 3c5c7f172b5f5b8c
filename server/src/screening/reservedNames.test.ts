import { describe, expect, it } from 'vitest'
import { ReservedNames } from './reservedNames.ts'
import { readSimplified } from './simplified.ts'

const names = new ReservedNames(['公会厅', 'Guildhall'], await readSimplified())

describe('a person or a guild cannot be called', () => {
  it.each([
    '公会厅',
    '公會廳',
    '公 会 厅',
    '公·会★厅小助手',
    'Guildhall',
    'ɢᴜɪʟᴅʜᴀʟʟ',
    'Gui1dha1l',
    '官方',
    '官​方',
    '官方客服小李',
    '【客服】小美',
    '客.服.01',
    '管理员',
    '管理員',
    '超级管理员',
    '系统',
    '系 统',
    '系統',
    '系统消息',
    'System',
    'Ａｄｍｉｎ',
    'аdmin',
    'Official',
  ])('%s', (name) => {
    for (const target of ['username', 'nickname', 'guild'] as const)
      expect(names.has(target, [name])).toBe(true)
  })
})

describe('anybody may be called', () => {
  it.each(['小满', '操作系统爱好者', '生态系统', '星海公会', 'Administer', 'Systematic', 'badminton'])(
    '%s',
    (name) => {
      for (const target of ['username', 'nickname', 'guild', 'role'] as const)
        expect(names.has(target, [name])).toBe(false)
    },
  )
})

it('a role may be one of those who look after a guild, and not of those who look after this site', () => {
  for (const name of ['管理员', '客服', '系统', 'Admin']) expect(names.has('role', [name])).toBe(false)
  for (const name of ['官方', '公会厅', '公会厅官方']) expect(names.has('role', [name])).toBe(true)
})

it('only names are looked at: not what is said, and not what a guild says of itself', () => {
  for (const target of ['channel', 'private', 'guild_channel', 'emoji', 'preview', 'picture'] as const)
    expect(names.has(target, ['官方客服'])).toBe(false)
  expect(names.has('guild', ['星海公会', '官方群，客服在线'])).toBe(false)
})
