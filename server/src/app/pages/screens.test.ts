import { mkdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Http, openHttp } from '../../kit/http/server.ts'
import { openLog } from '../../kit/log.ts'
import { SCREENS } from './screens.ts'

const CODE = '0123456789abcdef0123456789abcdef'

/**
 * Each address and the file of the built page that it answers. Written here once more: people have links to
 * them.
 */
const ANSWERS: Readonly<Record<string, string>> = {
  '/login': 'pages/login.html',
  '/bindmobile': 'index.html',
  '/home': 'index.html',
  '/discover': 'pages/channels.html',
  '/activity/kook717': 'index.html',
  '/buff-refund-info': 'index.html',
  '/authenticate': 'index.html',
  '/forgot': 'index.html',
  '/terms': 'index.html',
  '/privacy': 'index.html',
  '/licenses': 'index.html',
  '/invite': 'index.html',
  '/account': 'pages/account.html',
  '/account/devices': 'pages/account.html',
  '/account/name': 'pages/account.html',
  '/account/authentication': 'pages/account.html',
  '/account/digits': 'pages/account.html',
  '/account/avatar': 'pages/account.html',
  '/account/password': 'pages/account.html',
  '/account/number': 'pages/account.html',
  '/account/delete': 'pages/account.html',
  '/account/linked': 'pages/account.html',
  '/account/second-factor': 'pages/account.html',
  '/account/order-list': 'pages/account.html',
  '/account/buff': 'pages/shop.html',
  '/account/boost': 'pages/shop.html',
  '/account/golive': 'pages/shop.html',
  '/guild/boost': 'pages/account.html',
  '/guild/boost/1': 'pages/shop.html',
  '/guild/boost/x': 'pages/shop.html',
  '/guild/boost-status': 'pages/account.html',
  '/guild/boost-status/1': 'pages/shop.html',
  '/guild/profile': 'pages/account.html',
  '/guild/profile/1': 'pages/account.html',
  '/select-guild': 'pages/account.html',
  '/select-friend': 'pages/account.html',
  '/renewal/management': 'pages/account.html',
  '/cdk': 'pages/account.html',
  '/pay': 'index.html',
  '/payment/wechat': 'index.html',
  '/payment/successful': 'index.html',
  '/chats': 'pages/shell.html',
  [`/chats/${CODE}`]: 'pages/shell.html',
  '/chats/with/1': 'pages/shell.html',
  '/friends': 'pages/shell.html',
  '/user-invite': 'index.html',
  '/register': 'index.html',
  '/download': 'index.html',
  '/go-wild': 'index.html',
  '/oia': 'index.html',
  '/oia/channels/1': 'index.html',
  '/app': 'index.html',
  '/app/channels/1': 'index.html',
  '/common/jumpapp': 'index.html',
  '/staff': 'staff.html',
  '/staff/reports': 'staff.html',
  '/channels': 'pages/channels.html',
  '/channels/': 'pages/channels.html',
  '/channels/1': 'pages/channels.html',
  '/channels/1/2': 'pages/room.html',
  '/channels/userlist/1': 'pages/shell.html',
}

/**
 * There is no page at these. The start page and invites with a code are written by `site/startPage.ts` and
 * `invite/landingPage.ts`.
 */
const NOTHING = [
  '/invite/ABCDEFGH',
  '/user-invite/ABCDEFGH',
  '/account/nowhere',
  '/account/devices/1',
  '/cdk/1',
  '/channels/x',
  '/channels/1/x',
  '/channels/1/2/3',
  '/channels/userlist/x',
  '/chats/x',
  `/chats/${CODE}0`,
  '/chats/with/x',
  '/guild',
  '/guild/boost/1/2',
  '/payment',
  '/renewal',
  '/LOGIN',
]

let dir: string
let http: Http
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'screens-'))
  mkdirSync(path.join(dir, 'pages'))
  for (const file of new Set(['index.html', ...Object.values(ANSWERS)]))
    writeFileSync(path.join(dir, file), `<p>${file}`)
  http = await openHttp({
    bindings: [],
    endpoints: [],
    screens: SCREENS,
    webDir: dir,
    sessionOf: async () => null,
    publicUrl: null,
    fallbackUrl: 'http://fallback',
    trustedProxies: [],
    checkAnswers: true,
    log: openLog('quiet'),
  })
})
afterAll(async () => {
  await http.close()
  await rm(dir, { recursive: true, force: true })
})

const answerOf = async (url: string) => {
  const { status, text, headers } = await http.inject({
    method: 'GET',
    url,
    headers: { accept: 'text/html' },
  })
  return { status, text, cached: headers['cache-control'] }
}

it.each(NOTHING)('there is nothing at %s', async (url) => {
  expect(await answerOf(url)).toMatchObject({ status: 404, text: '<p>index.html' })
})

it.each(Object.entries(ANSWERS))('%s answers %s', async (url, file) => {
  expect(await answerOf(url)).toEqual({ status: 200, text: `<p>${file}`, cached: 'no-cache' })
})
