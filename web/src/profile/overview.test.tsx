import { type Channel, channelType } from '@guildhall/wire/channel/channel.ts'
import { fail } from '@guildhall/wire/failure.ts'
import {
  type GuildSettings,
  updateGuildSettings,
  viewGuildSettings,
} from '@guildhall/wire/profile/settings.ts'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { setLocale } from '../kit/i18n.ts'
import { cache } from '../kit/routeQuery.ts'
import { fakeServer } from '../testing/fakeServer.ts'
import { channelOf, guildOf } from '../testing/fixtures.ts'
import { fill, pressSoon, type } from '../testing/hands.ts'
import { renderAt } from '../testing/renderAt.tsx'
import OverviewSettings from './OverviewSettings.tsx'

let server: ReturnType<typeof fakeServer>
let stored: GuildSettings
beforeEach(() => {
  cache.clear()
  setLocale('zh-CN')
  stored = {
    default_channel_id: '20',
    welcome_channel_id: '0',
    welcome_words: '',
    notify_type: 1,
    category: '',
  }
  server = fakeServer()
  server.on(viewGuildSettings, () => stored)
})
afterEach(cleanup)

const channels = (): Channel[] => [
  channelOf('20', '大厅'),
  { ...channelOf('30', '语音'), type: channelType.voice },
  {
    ...channelOf('40', '分组'),
    type: channelType.category,
    is_category: true,
    channels: [channelOf('41', '闲聊')],
  },
]
const show = () =>
  renderAt(
    '/guild/settings/10/overview',
    '/guild/settings/10/overview',
    <OverviewSettings guild={guildOf('10', '星海公会', channels())} />,
  )
const choose = async (label: string, value: string) => fill(await screen.findByLabelText(label), { value })

test('words that are refused are said under their field, and what was typed stays', async () => {
  stored = { ...stored, welcome_channel_id: '20' }
  server.on(updateGuildSettings, () => fail('content.refused'))
  show()
  await screen.findByLabelText('欢迎语')
  type('欢迎语', '坏话')
  await pressSoon('保存')
  expect(await screen.findByText('内容不符合社区规范，请修改后重试')).toBeTruthy()
  expect(screen.getByLabelText<HTMLTextAreaElement>('欢迎语').value).toBe('坏话')
})

test('what the guild is about is chosen, and sent alone', async () => {
  server.on(updateGuildSettings, ({ guild_id: _, ...change }) => ({ ...stored, ...change }) as GuildSettings)
  show()
  await choose('分类', 'art')
  await pressSoon('保存')
  await waitFor(() =>
    expect(server.received(updateGuildSettings)).toEqual([{ guild_id: '10', category: 'art' }]),
  )
})

test('only what was changed is sent, and words are asked for where there is a welcome channel', async () => {
  server.on(updateGuildSettings, ({ guild_id: _, ...change }) => ({ ...stored, ...change }) as GuildSettings)
  show()
  await choose('欢迎频道', '41')
  type('欢迎语', '先看规则')
  await choose('默认通知', '2')
  await pressSoon('保存')
  expect(await screen.findByText('已保存')).toBeTruthy()
  expect(server.received(updateGuildSettings)).toEqual([
    { guild_id: '10', welcome_channel_id: '41', welcome_words: '先看规则', notify_type: 2 },
  ])
  expect(screen.getByRole('link', { name: /名称、图标/ }).getAttribute('href')).toBe('/guild/profile/10')
})

test('texts are welcomed in text channels alone', async () => {
  show()
  const select = await screen.findByLabelText('默认频道')
  expect([...select.querySelectorAll('option')].map(({ textContent }) => textContent)).toEqual([
    '#大厅',
    '#闲聊',
  ])
  expect(screen.queryByLabelText('欢迎语')).toBeNull()
})
