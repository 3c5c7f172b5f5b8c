import { expect, it } from 'vitest'
import { DANGEROUS, mayBeChosen } from './dangerous.ts'
import { DEFAULT_EVERYONE, permission } from './permission.ts'

it('a role that gives a right over others is not chosen by members themselves', () => {
  for (const name of [...DANGEROUS, 'mute_member', 'view_log', 'manage_nickname'] as const)
    expect([name, mayBeChosen({ permissions: permission[name] | permission.send_message })]).toEqual([
      name,
      false,
    ])
})

it('a role with the rights of everybody, or with none, is', () => {
  expect(mayBeChosen({ permissions: DEFAULT_EVERYONE })).toBe(true)
  expect(mayBeChosen({ permissions: 0 })).toBe(true)
})
