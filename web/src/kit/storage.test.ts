// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { forgetPerson, recall, remember } from './storage.ts'

beforeEach(() => localStorage.clear())
afterEach(() => vi.restoreAllMocks())

test('a value that was damaged by hand reads as nothing', () => {
  localStorage.setItem('pending_join', '{"id":')
  expect(recall('pending_join')).toBeNull()
})

test('a refused write is remembered until the page closes, and can be forgotten', () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  remember('drafts', { '7': 'half a sentence' })
  expect(recall('drafts')).toEqual({ '7': 'half a sentence' })
  remember('drafts', null)
  expect(recall('drafts')).toBeNull()
})

test('the token is stored as it is sent, without quotes', () => {
  remember('authorization', 'abc')
  expect(localStorage.getItem('authorization')).toBe('abc')
  expect(recall('authorization')).toBe('abc')
})

test('logging out forgets the person and keeps the taste', () => {
  remember('authorization', 'abc')
  remember('drafts', { '7': 'secret' })
  remember('theme', 'dark')
  forgetPerson()
  expect(recall('authorization')).toBeNull()
  expect(recall('drafts')).toBeNull()
  expect(recall('theme')).toBe('dark')
})
