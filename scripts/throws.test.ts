import { expect, test } from 'vitest'
import { thrownNames, wrongThrows } from './throws.ts'

const doc = (list: string) =>
  `/**\n * Does it.\n * @${'throws'} Failure ${list}\n */\nexport function act() {}`

test('a failure that the catalogue does not have is named with its file', () => {
  expect(wrongThrows('server/src/a.ts', doc('forbidden, guild.unknwon'))).toEqual([
    'server/src/a.ts: @throws names guild.unknwon, which is no failure of wire/src/failure.ts.',
  ])
})

test.each([
  ['forbidden, also for a channel that does not exist', ['forbidden']],
  ['asset.too_large (detail.mb: how large), too_many', ['asset.too_large', 'too_many']],
  [
    'auth.code_wrong,\n *   auth.code_expired, and as `confirmOwner` does',
    ['auth.code_wrong', 'auth.code_expired'],
  ],
  ['chat.unknown when it is not theirs; what.follows is not read', ['chat.unknown']],
  ['as `login` does', []],
])('of %j the names are %j', (list, names) => {
  expect(thrownNames(doc(list))).toEqual(names)
})

test('all names of a noun are allowed, and what is no docstring is not read', () => {
  expect(wrongThrows('a.ts', doc('realname.* and too_many'))).toEqual([])
  expect(thrownNames(`// @${'throws'} Failure nothing.such`)).toEqual([])
})
