import { expect, test } from 'vitest'
import { isEmojiName } from './emoji/manage.ts'
import { createGuild, isGuildName } from './guild/ownGuild.ts'
import { isNickname, setNickname } from './member/moderation.ts'
import { isRoleName } from './role/role.ts'
import { refundStaffOrder } from './staff/orders.ts'
import { suspendUser } from './staff/staff.ts'
import { isName, nameProblem } from './user/name.ts'
import { withoutOverrides } from './visible.ts'
import { isVisible, readName, readWords } from './words.ts'

const UNSEEN = [
  '',
  ' ',
  '\n',
  '\u200b',
  '\u2800',
  '\u00ad',
  '\ufe0f',
  '\u3164',
  '\u115f',
  '\u200d',
  '\u202e',
  '\u2067\u2069',
].concat(['\u0301', '\u{1d159}', '\u3000\u200b', '\u{e0061}', '\ud800', '\u180e', '\ufeff'])

test.each(UNSEEN.map((text) => [text]))('%j is not seen, and is no name and no words', (text) => {
  expect(isVisible(text)).toBe(false)
  expect(isName(text)).toBe(false)
  expect(isEmojiName(text + text)).toBe(false)
  expect(readName(text)).toBe('')
  expect(readWords(text)).toBe('')
  expect(nameProblem(readName(text))).toBe('user.name_required')
})

test.each(['.', '小', 'é', 'e\u0301', '👨‍👩‍👧', '❤️', 'ש', '\u200ba', '🏴\u{e0067}\u{e007f}'])(
  '%s is seen',
  (text) => expect(isVisible(text)).toBe(true),
)

test('a name loses what turns the page round, what hides, and spaces at its ends', () => {
  expect(readName(' \u202e小\u200b满\u202c ')).toBe('小满')
  expect(readName('Night \u3000\n Radio')).toBe('Night Radio')
  expect(readName('e\u0301')).toBe('é')
  expect(readName('👨‍👩‍👧')).toBe('👨‍👩‍👧')
  expect(readName('می\u200cخواهم')).toBe('می\u200cخواهم')
  expect(isName('\u202e小满')).toBe(false)
  expect(isNickname('小\u200f满')).toBe(false)
  expect(isRoleName('\u202e')).toBe(false)
})

test('words keep their lines and lose what turns them round', () => {
  expect(readWords(' 一\n\n二\u202e ')).toBe('一\n\n二')
  expect(withoutOverrides('a\u061cb\u200ec\u200fd\u202ae\u202ef\u2066g\u2069')).toBe('abcdefg')
})

test('guilds may have single spaces in their names, people may not', () => {
  expect(isGuildName('Night Radio')).toBe(true)
  expect(isGuildName('Night  Radio')).toBe(false)
  expect(isGuildName(' Night')).toBe(false)
  expect(isGuildName('a'.repeat(31))).toBe(false)
  expect(isGuildName('😀'.repeat(30))).toBe(true)
  expect(isName('Night Radio')).toBe(false)
})

test('calls read names and reasons so', () => {
  expect(createGuild.input.safeParse({ name: ' Night\u202e  Radio ' }).data?.name).toBe('Night Radio')
  const named = setNickname.input.safeParse({ guild_id: '1', nickname: '\u202e小满' })
  expect(named.data?.nickname).toBe('小满')
  expect(suspendUser.input.safeParse({ user_id: '1', reason: '\u200b', until: 0 }).success).toBe(false)
  expect(refundStaffOrder.input.safeParse({ order_id: '1', left: 1, reason: ' \u2800 ' }).success).toBe(false)
})
