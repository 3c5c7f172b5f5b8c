import { DANGEROUS } from '@guildhall/wire/permission/dangerous.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { expect, test } from 'vitest'
import { RIGHT_GROUPS } from './rights.ts'
import { rightsText } from './rightsText.ts'

const all = Object.values(RIGHT_GROUPS).flat()

test('every right stands in one group, and no other does', () => {
  expect(all.toSorted()).toEqual(Object.keys(permission).toSorted())
})

test.each(['zh-CN', 'en'] as const)('every right has a name and a sentence in %s', (locale) => {
  const t = rightsText[locale]
  for (const right of all) expect([right, t[right].filter(Boolean).length]).toEqual([right, 2])
  expect(new Set(all.map((right) => t[right][0])).size).toBe(all.length)
})

test('what is dangerous is what acts on many, or on rights', () => {
  expect(DANGEROUS.has('manage')).toBe(true)
  expect(DANGEROUS.has('send_message')).toBe(false)
})
