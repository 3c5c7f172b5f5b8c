import { expect, test } from 'vitest'
import { changed, emptyFields, isDirty } from './changed.ts'

const was = { name: '深夜电台', icon: 'a', desc: '聊天', banner: '' }

test('a form as it was loaded is not dirty, nor one whose changes were taken back', () => {
  expect(isDirty(was, { ...was })).toBe(false)
  expect(changed(was, { ...was, name: '深夜电台' })).toEqual({})
})

test('only changed fields are sent, also those that became empty', () => {
  expect(changed(was, { ...was, desc: '' })).toEqual({ desc: '' })
  expect(changed(was, { name: '新', icon: 'b', desc: '聊天', banner: 'c' })).toEqual({
    name: '新',
    icon: 'b',
    banner: 'c',
  })
})

test('only changed fields are checked', () => {
  expect(emptyFields(changed({ ...was, desc: '' }, { ...was, desc: '' }))).toEqual([])
  expect(emptyFields(changed(was, { ...was, name: ' ', desc: '' }))).toEqual(['name', 'desc'])
})
