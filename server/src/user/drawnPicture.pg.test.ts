import { listMessages } from '@guildhall/wire/message/action.ts'
import { drawnPicture, LETTER_COLOURS, letterColour } from '@guildhall/wire/user/letter.ts'
import { me } from '@guildhall/wire/user/me.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer()
})
afterAll(() => server?.close())

it.each([
  '/avatars/8/A.svg',
  '/avatars/x/A.svg',
  '/avatars/1/ABCDEFGHI.svg',
  '/avatars/1/A.png',
  '/avatars/1/..%2f..%2fA.txt',
])('nothing is drawn for %s', async (wrong) => {
  expect((await fetch(server.url + wrong)).status).toBe(404)
})

it('markup, commands of direction and control characters in letters are only letters', async () => {
  for (const name of ['<s', '"&', '\u202ea', '\u0000b', '/.', '😀😀']) {
    const answer = await fetch(server.url + drawnPicture('7', name))
    const svg = await answer.text()
    expect([answer.status, svg.match(/<\/?\w+/g)]).toEqual([
      200,
      ['<svg', '<rect', '<text', '</text', '</svg'],
    ])
    for (const sign of ['\0', '\u202e']) expect(svg).not.toContain(sign)
  }
})

describe('a person without a picture', () => {
  it('has the address of one, the same for a bot and for the page, that caches keep', async () => {
    const { token } = await server.command<{ token: string }>(
      `bot create --name 报时 --guild ${server.guildId}`,
    )
    const own = await server.as({ bot: token }).call(me)
    const seen = await server.as('member').call(me)
    for (const { id, username, avatar, vip_avatar } of [own, seen]) {
      expect([avatar, vip_avatar]).toEqual([server.url + drawnPicture(id, username), avatar])
      const answer = await fetch(avatar)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(await answer.text()).toContain(LETTER_COLOURS[letterColour(id)])
    }
    expect(seen.id).toBe(server.idOf('member'))
  })

  it('is the author of their messages with it, and who invites', async () => {
    const member = server.person('member')
    const channel_id = server.channel('闲聊')
    await server.as('member').say(channel_id, '在吗', { type: 1 })
    const { items } = await server.as('member').call(listMessages, { target_id: channel_id })
    const { author } = items.find((it) => it.author.id === member.id)!
    expect(author.avatar).toBe(server.url + drawnPicture(member.id, author.username))
  })
})

it('a guild has the same ground on its invite as on the page', async () => {
  const html = await (await fetch(`${server.url}/invite/${server.invite}`)).text()
  const icon = /<span class="invite-icon letters" style="background:(#\w+)"/.exec(html)?.[1]
  expect(icon).toBe(LETTER_COLOURS[letterColour(server.guildId)])
})
