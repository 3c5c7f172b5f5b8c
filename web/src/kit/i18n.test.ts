import { expect, it } from 'vitest'
import { localeOf } from './i18n.ts'

it('a first visit is in Chinese, except to a browser that asks for English', () => {
  expect(localeOf(undefined)).toBe('zh-CN')
  expect(localeOf('zh-TW')).toBe('zh-CN')
  expect(localeOf('fr-FR')).toBe('zh-CN')
  expect(localeOf('en-GB')).toBe('en')
})
