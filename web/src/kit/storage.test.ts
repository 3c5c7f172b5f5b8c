// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearUserStorage, readStored, writeStored } from './storage.ts'

beforeEach(() => localStorage.clear())
afterEach(() => vi.restoreAllMocks())

test('a malformed value reads as null', () => {
  localStorage.setItem('pending_join', '{"id":')
  expect(readStored('pending_join')).toBeNull()
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

test('logging out deletes the user’s data and keeps the preferences', () => {
  writeStored('authorization', 'abc')
  writeStored('drafts', { '7': 'secret' })
  writeStored('theme', 'dark')
  clearUserStorage()
  expect(readStored('authorization')).toBeNull()
  expect(readStored('drafts')).toBeNull()
  expect(readStored('theme')).toBe('dark')
})
