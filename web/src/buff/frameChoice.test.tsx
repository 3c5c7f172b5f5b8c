/** The choice of the ring around one's face. */
import { updateSelf } from '@guildhall/wire/auth/owner.ts'
import { userState } from '@guildhall/wire/auth/userState.ts'
import { fail } from '@guildhall/wire/failure.ts'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeServer } from '../testing/fakeServer.ts'
import { sessionOf } from '../testing/fixtures.ts'
import { press } from '../testing/hands.ts'
import { renderAt } from '../testing/renderAt.tsx'
import { FrameChoice } from './FrameChoice.tsx'

let server: ReturnType<typeof fakeServer>
beforeEach(() => {
  server = fakeServer()
  server.on(userState, () => sessionOf({ is_vip: true }))
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const show = (me: Parameters<typeof sessionOf>[0]) =>
  renderAt('/here', '/here', <FrameChoice />, sessionOf(me).user)
const radio = (name: string) => screen.getByRole<HTMLInputElement>('radio', { name })
const choose = (name: string) => fireEvent.click(radio(name))
const said = () => within(screen.getByRole('group', { name: '头像框' })).getByRole('status').textContent
const changed = () => {
  const { user } = sessionOf({ is_vip: true })
  return { ...user, user, has_password: true }
}
const sent = () => server.received(updateSelf).map(({ avatar_frame }) => avatar_frame)

test('somebody without BUFF sees how they would look, and nothing is saved', async () => {
  show({ is_vip: false })
  expect(screen.getByText('开通 BUFF 后即可使用，先看看戴上的样子。')).toBeTruthy()
  expect(said()).toBe('')
  choose('暮霞')
  expect(radio('暮霞').checked).toBe(true)
  expect(radio('暮霞').closest('label')?.querySelector('.frame-dusk')).toBeTruthy()
  expect(sent()).toEqual([])
})

test('a member of BUFF begins with the ring that they have, and saves another by a tap', async () => {
  server.on(updateSelf, changed)
  show({ is_vip: true, avatar_frame: 'jade' })
  expect(radio('青玉').checked).toBe(true)
  choose('无')
  expect(radio('无').checked).toBe(true)
  expect(said()).toBe('正在保存…')
  await waitFor(() => expect(said()).toBe('已保存'))
  expect(sent()).toEqual([''])
})

test('of quick taps on a slow network the last one is saved', async () => {
  const slow = Promise.withResolvers<void>()
  server.on(updateSelf, async () => {
    await slow.promise
    return changed()
  })
  show({ is_vip: true })
  for (const name of ['鎏金', '晴空', '蔷薇']) choose(name)
  slow.resolve()
  await waitFor(() => expect(sent()).toEqual(['gold', 'rose']))
  await waitFor(() => expect(said()).toBe('已保存'))
  expect(radio('蔷薇').checked).toBe(true)
})

test('what is refused says why, stays chosen and can be tried again', async () => {
  server.on(updateSelf, () => fail('user.needs_buff'))
  show({ is_vip: true })
  choose('鎏金')
  await waitFor(() => expect(said()).toContain('未保存：开通 BUFF 会员后才能使用'))
  expect(radio('鎏金').checked).toBe(true)
  server.on(updateSelf, changed)
  press('重试')
  await waitFor(() => expect(said()).toBe('已保存'))
  expect(sent()).toEqual(['gold', 'gold'])
})
