import { expect, test } from 'vitest'
import { colorsAsked } from './color.ts'

const solid = { role_id: 1, name: '', color: 5, position: 1, hoist: 0, mentionable: 0, permissions: 0 }
const faded = { ...solid, color_type: 2, color_map: { color_list: [5, 6] } }

test('a gradient without colours is refused, unless the role has them', () => {
  expect(() => colorsAsked(solid, { color_type: 2 })).toThrow('bad_input')
  expect(() => colorsAsked(faded, { color_type: 2, color_map: null })).not.toThrow()
  expect(colorsAsked(faded, { color_type: 2 })).toEqual({ color: 5, color_list: [5, 6] })
})

test('nothing asked changes nothing', () => {
  for (const role of [solid, faded]) expect(colorsAsked(role, {})).toEqual({})
  expect(colorsAsked(faded, { color: 5 })).toEqual({})
})

test('the colours of a gradient win over a colour; its first is the one that is shown elsewhere', () => {
  const asked = { color: 9, color_map: { color_list: [7, 8] } }
  for (const role of [solid, faded])
    for (const more of [{}, { color_type: 2 }])
      expect(colorsAsked(role, { ...asked, ...more })).toEqual({ color: 7, color_list: [7, 8] })
})

test('solid again by type, by null, or by another colour', () => {
  const map = { color_list: [7, 8] }
  expect(colorsAsked(faded, { color_type: 1 })).toEqual({ color: 5, color_list: null })
  expect(colorsAsked(faded, { color_type: 1, color: 9, color_map: map })).toEqual({
    color: 9,
    color_list: null,
  })
  expect(colorsAsked(faded, { color_map: null })).toEqual({ color: 5, color_list: null })
  expect(colorsAsked(faded, { color: 0 })).toEqual({ color: 0, color_list: null })
})
