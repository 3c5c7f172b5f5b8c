/** On the card of a person: the reader's note, and what the two have in common. */
import { fail } from '@guildhall/wire/failure.ts'
import { writePersonNote } from '@guildhall/wire/friend/personNote.ts'
import { type PersonView, viewPerson } from '@guildhall/wire/member/person.ts'
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeServer } from '../../testing/fakeServer.ts'
import { sessionOf } from '../../testing/fixtures.ts'
import { fill, pressSoon } from '../../testing/hands.ts'
import { renderAt } from '../../testing/renderAt.tsx'
import { PersonMore } from './PersonMore.tsx'

const NOTHING: PersonView = { note: '', guilds: { total: 0, items: [] }, friends: { total: 0, items: [] } }
let server: ReturnType<typeof fakeServer>
beforeEach(() => {
  server = fakeServer()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const open = () => renderAt('/here', '/here', <PersonMore userId="5" name="小满" />, sessionOf().user)
const row = (name: RegExp) => screen.findByRole('button', { name })

test('what could not be loaded is asked for again', async () => {
  server.on(viewPerson, () => fail('internal'))
  open()
  await screen.findByRole('alert')
  server.on(viewPerson, () => NOTHING)
  await pressSoon('重试')
  expect(await row(/添加备注/)).toBeTruthy()
})

test('where nothing is in common it says so and offers nothing to open', async () => {
  server.on(viewPerson, () => NOTHING)
  open()
  for (const words of ['没有共同的公会', '没有共同好友'])
    expect((await screen.findByText(words)).closest('button')).toBeNull()
})

test('common guilds and friends open as lists that lead there, and say how many are not in them', async () => {
  const friend = { ...sessionOf().user, id: '7' as never, username: '话太多' }
  server.on(viewPerson, () => ({
    note: '',
    guilds: { total: 1, items: [{ id: '10' as never, name: '夜航', icon: '' }] },
    friends: { total: 103, items: [friend] },
  }))
  open()
  fireEvent.click(await row(/^1 个共同公会/))
  expect(screen.getByRole('link', { name: '夜航' }).getAttribute('href')).toBe('/channels/10')
  fireEvent.click(screen.getByRole('button', { name: '关闭' }))
  fireEvent.click(await row(/^103 位共同好友/))
  expect(screen.getByRole('link', { name: '话太多' }).getAttribute('href')).toBe('/chats/with/7')
  expect(screen.getByText('还有 102 个没有列出')).toBeTruthy()
})

test('a note that is refused stays in its field with the reason; then it is saved and shown', async () => {
  let note = ''
  server.on(viewPerson, () => ({ ...NOTHING, note }))
  server.on(writePersonNote, () => fail('friend.notes_full', { most: 3 }))
  open()
  fireEvent.click(await row(/添加备注/))
  const field = screen.getByRole('textbox', { name: '给 小满 的备注' }) as HTMLTextAreaElement
  fill(field, { value: ' 同城 ' })
  await pressSoon('保存')
  expect(await screen.findByText('最多可以给 3 个人写备注')).toBeTruthy()
  expect(field.value).toBe(' 同城 ')
  server.on(writePersonNote, (input) => {
    note = input.note
    return {}
  })
  await pressSoon('保存')
  expect(await row(/^我的备注 同城/)).toBeTruthy()
  expect(server.received(writePersonNote).at(-1)).toEqual({ user_id: '5', note: '同城' })
})
