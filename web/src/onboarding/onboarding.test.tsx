import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import { fail } from '@guildhall/wire/failure.ts'
import { history } from '@guildhall/wire/message/message.ts'
import { acceptRules, type Onboarding, viewOnboarding } from '@guildhall/wire/onboarding/onboarding.ts'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cache } from '../kit/routeQuery.ts'
import { fakeServer } from '../testing/fakeServer.ts'
import { channelOf, guildOf } from '../testing/fixtures.ts'
import { pressSoon } from '../testing/hands.ts'
import { showRoom } from '../testing/showRoom.tsx'

let server: ReturnType<typeof fakeServer>
let owes = true
let onboarding: Onboarding
beforeEach(() => {
  cache.clear()
  owes = true
  onboarding = { rules_on: true, rules: [{ title: '友善', words: '不骂人' }] }
  server = fakeServer()
  server.on(viewGuild, () => ({
    ...guildOf('10', '夜航', [channelOf('20', '闲聊')]),
    user_config: { nickname: '', role_ids: [], ...(owes && { owes_rules: true }) },
  }))
  server.on(history, () => [])
  server.on(viewOnboarding, () => onboarding)
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('who has to accept the rules reads them where the composer stands, accepts, and may write', async () => {
  showRoom()
  expect(await screen.findByText('同意公会规则后才能发言')).toBeTruthy()
  expect(screen.queryByRole('textbox')).toBeNull()
  await pressSoon('阅读并同意规则')
  expect(await screen.findByRole('heading', { name: '友善' })).toBeTruthy()
  expect(screen.getByText('不骂人')).toBeTruthy()
  server.on(acceptRules, () => fail('unavailable'))
  await pressSoon('我已阅读并同意')
  await expect.poll(() => server.received(acceptRules)).toHaveLength(1)
  expect(screen.queryByRole('textbox')).toBeNull()
  server.on(acceptRules, () => {
    owes = false
    return {}
  })
  await pressSoon('我已阅读并同意')
  expect(await screen.findByRole('textbox', { name: '发送消息到 #闲聊' })).toBeTruthy()
  expect(server.received(acceptRules)).toEqual([{ guild_id: '10' }, { guild_id: '10' }])
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
})
