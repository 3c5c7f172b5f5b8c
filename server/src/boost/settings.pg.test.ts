import { settings, settingsV2 } from '@guildhall/wire/boost/settings.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openWorld, type TestWorld } from '../testing/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

it('the levels of guilds are shown to those who are logged in, in both dialects and their language', async () => {
  await expect(world.as(null).call(settings, {})).rejects.toMatchObject({ failure: 'not_logged_in' })
  const token = await world.tokenOf('member')
  const chinese = await world.as({ token }).call(settings, {})
  expect(chinese.guild_rights).toHaveLength(6)
  expect(chinese.guild_rights_view[0]?.rights[0]?.name).toBe('成员上限')
  expect(await world.as({ token }).call(settingsV2, {})).toEqual(chinese)
  const english = await world.as({ token }, { language: 'en' }).call(settings, {})
  expect(english.guild_rights_view[0]?.rights[0]?.name).toBe('Members')
})
