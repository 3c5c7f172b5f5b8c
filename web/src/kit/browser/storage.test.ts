// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearUserStorage, readStored, type Stored, writeStored } from './storage.ts'

beforeEach(() => localStorage.clear())
afterEach(() => vi.restoreAllMocks())

test('a malformed value reads as null', () => {
  localStorage.setItem('pending_join', '{"id":')
  expect(readStored('pending_join')).toBeNull()
})

test.each(['令牌', 'a b', 'a\nb'])('a token that no header can carry is no session: %j', (token) => {
  localStorage.setItem('authorization', token)
  expect(readStored('authorization')).toBeNull()
})

test('a refused write is kept in memory until the page closes, and can be deleted', () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  writeStored('drafts', { '7': 'half a sentence' })
  expect(readStored('drafts')).toEqual({ '7': 'half a sentence' })
  writeStored('drafts', null)
  expect(readStored('drafts')).toBeNull()
})

test('the token is stored as it is sent, without quotes', () => {
  writeStored('authorization', 'abc')
  expect(localStorage.getItem('authorization')).toBe('abc')
  expect(readStored('authorization')).toBe('abc')
})

test('logging out deletes all that is the user’s, and keeps the preferences of the device', () => {
  const all: Stored = {
    authorization: 'abc',
    auth: { id: '7', username: '阿宁', identify_num: '0007', avatar: '', mobile_verified: true },
    theme: 'dark',
    locale: 'en',
    country: { abbr: 'CN', code: '86' },
    way: 'email',
    pending_join: { id: '10', code: 'abc' },
    invite_code: 'abc',
    login_redir: '/account',
    bind_info: { bind_info: 'sealed', token_type: 'qq', nickname: '阿宁' },
    collapsed: ['20'],
    drafts: { '7': 'secret' },
    recent_emoji: [{ id: '👍', name: '赞' }],
    picks: { '7': { words: 'secret', picks: [] } },
    replies: { '7': {} },
    roles_note_closed: ['10'],
    last_guild: '10',
    last_channels: { '10': '20' },
    recent: ['/channels/10/20'],
    searches: ['一会儿见'],
    snapshot: { path: '/', me: '7', build: 'a', locale: 'en', width: 390, css: '', html: '<p>secret</p>' },
    keys: 'off',
    double_click: 'edit',
    formats: { open: true },
    desk: { channels: 300 },
    notifications: { on: true },
  }
  for (const [key, value] of Object.entries(all)) writeStored(key as keyof Stored, value as never)
  clearUserStorage()
  const kept = Object.keys(all).filter((key) => readStored(key as keyof Stored) !== null)
  expect(kept).toEqual([
    'theme',
    'locale',
    'country',
    'way',
    'pending_join',
    'invite_code',
    'collapsed',
    'roles_note_closed',
    'keys',
    'double_click',
    'formats',
    'desk',
    'notifications',
  ])
})
