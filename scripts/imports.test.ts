import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { circles, importsOf, NOUNS, sourceFiles, violations } from './imports.ts'

const one = (target: string) => `import { x } from '${target}'\n`

describe('a forbidden import is refused with the rule and what to import instead', () => {
  it.each([
    ['wire/src/guild/guild.ts', 'node:fs', /Rule 1, wire .*move this to server or web/],
    ['wire/src/guild/guild.ts', 'zod/mini', /Rule 1, .*wire\/src\/schema\.ts/],
    ['wire/src/guild/guild.ts', '../../../server/src/config.ts', /Rule 1, wire/],
    ['wire/src/guild/guild.ts', '../message/message.ts', /Rule 3, .*message comes after guild/],
    [
      'server/src/guild/guild.ts',
      '@guildhall/web/kit/call.ts',
      /Rule 1, server and web never import each other/,
    ],
    ['web/src/guild/GuildScreen.tsx', '@guildhall/server/guild/guild.ts', /Rule 1, server and web/],
    ['web/src/kit/call.test.ts', '@guildhall/server/app/app.ts', /Rule 1, server and web/],
    ['server/src/boost/boost.ts', '../guild/sql.ts', /Rule 2, .*import server\/src\/guild\/guild\.ts/],
    ['server/src/gateway/audience.ts', '../channel/sql.ts', /Rule 2, .*channel\/channel\.ts/],
    ['web/src/composer/Composer.tsx', '../guild/apply.ts', /Rule 2, .*web\/src\/guild\/guild\.ts/],
    ['server/src/user/user.ts', '../auth/auth.ts', /Rule 3, .*auth comes after user/],
    ['server/src/guild/guild.ts', '../gateway/session.ts', /Rule 3, .*gateway is above guild/],
    ['server/src/kit/http/server.ts', '../../auth/auth.ts', /Rule 3, .*auth is above kit/],
    ['server/src/outside/sms/sms.ts', '../../user/user.ts', /Rule 3, .*user is above outside/],
    ['server/src/guild/guild.ts', '../app/app.ts', /Rule 3, .*app is above guild/],
    ['server/src/guild/guild.ts', '../testing/world.ts', /Rule 3, .*only tests/],
    ['server/src/app/app.ts', '../testing/world.ts', /Rule 3, .*only tests/],
    ['server/src/cli/cli.ts', '../testing/world.ts', /Rule 3, .*only tests/],
    ['server/src/guild/guild.ts', '../demo/seed.ts', /Rule 3, .*demo is above guild/],
    ['server/src/boost/boost.ts', '@guildhall/sandbox/control.ts', /Rule 4, .*import the sandbox/],
    ['server/src/demo/seed.ts', '@guildhall/sandbox/sandbox.ts', /Rule 4, .*import the sandbox/],
    ['sandbox/src/tradeStore.ts', '@guildhall/server/guild/guild.ts', /Rule 1, the sandbox/],
    ['sandbox/src/tradeStore.ts', '@guildhall/server/app/app.ts', /Rule 1, the sandbox/],
    [
      'sandbox/src/tradeStore.ts',
      '@guildhall/server/outside/payment/alipay/alipay.ts',
      /Rule 1, the sandbox/,
    ],
    ['sandbox/src/tradeStore.ts', '@guildhall/web/kit/call.ts', /Rule 1, the sandbox/],
    ['web/src/kit/call.ts', '@guildhall/sandbox/tradeStore.ts', /Rule 1, the sandbox/],
    ['wire/src/pay/pay.ts', '@guildhall/sandbox/tradeStore.ts', /Rule 1, wire/],
    ['e2e/pay/pay.e2e.ts', '../../sandbox/src/control.ts', /Rule 3, e2e/],
    ['server/src/chat/chat.ts', '../message/sql/message.ts', /Rule 2, .*message\/message\.ts/],
    ['server/src/cache/cache.ts', '../kit/database/db.ts', /Rule 3, every folder has a layer/],
    ['web/src/gateway/gatewayClient.ts', '../roomStore/roomStore.ts', /Rule 3, .*roomStore is above gateway/],
    [
      'web/src/roomStore/roomStore.ts',
      '../composer/attachments.ts',
      /Rule 3, .*composer comes after roomStore/,
    ],
    ['web/src/message/menu/MessageMenu.tsx', '../../room/rows.ts', /Rule 3, .*room comes after message/],
    [
      'web/src/channel/ChannelsScreen.tsx',
      '../kmarkdown/KMarkdown.tsx',
      /Rule 2, .*kmarkdown\/kmarkdown\.ts/,
    ],
    ['web/src/ui/Button.tsx', '../native/bridge.ts', /Rule 3, .*native is above ui/],
    ['e2e/story.e2e.ts', '../server/src/guild/guild.ts', /Rule 3, .*server\/src\/testing/],
    [
      'e2e/connection/connectionModel.ts',
      '../../web/src/gateway/gatewayClient.ts',
      /Rule 3, .*pure ends of a connection/,
    ],
    ['e2e/story.e2e.ts', '../web/src/roomStore/room.ts', /Rule 3, .*pure ends of a connection/],
    [
      'server/src/main.ts',
      './guild/routes.ts',
      /Rule 4, only server\/src\/guild\/module\.ts imports routes\.ts/,
    ],
    ['server/src/boost/boost.ts', '../guild/routes.ts', /Rule 4, .*server\/src\/guild\/guild\.ts/],
    ['server/src/app/modules.ts', '../guild/routes.ts', /Rule 2, .*import server\/src\/guild\/module\.ts/],
    [
      'server/src/app/modules.ts',
      '../guild/rights.ts',
      /Rule 2, .*guild\/module\.ts or server\/src\/guild\/guild\.ts/,
    ],
    ['server/src/main.ts', './guild/module.ts', /Rule 4, only server\/src\/app imports module\.ts/],
    [
      'server/src/boost/module.ts',
      '../guild/module.ts',
      /Rule 4, only server\/src\/app .*call server\/src\/guild\/guild\.ts/,
    ],
    ['server/src/guild/module.ts', '../boost/boost.ts', /Rule 3, .*boost comes after guild/],
    ['web/src/message/Header.tsx', '../guild/GuildScreen.tsx', /Rule 4, .*paths/],
    ['server/src/guild/sql.ts', 'pg', /Rule 4, .*kit\/database\/db\.ts/],
    ['server/src/guild/guild.pg.test.ts', 'pg', /Rule 4, .*kit\/database\/db\.ts/],
    ['server/src/app/app.ts', 'fastify', /Rule 4, .*kit\/http\//],
    ['server/src/kit/http.ts', '@fastify/static', /Rule 4, .*kit\/http\//],
    ['server/src/kit/events/bus.ts', 'ws', /Rule 4, .*server\/src\/gateway/],
  ])('%s importing %s', (file, target, sentence) => {
    const broken = violations(file, one(target))
    expect(broken).toHaveLength(1)
    expect(broken[0]).toMatch(sentence)
    expect(broken[0]).toMatch(/\.$/)
  })

  it('the environment read outside config, main and cli', () => {
    const reads = 'const port = process.env.PORT'
    expect(violations('server/src/guild/guild.ts', reads)[0]).toMatch(/Rule 4, .*server\/src\/config\.ts/)
    for (const file of [
      'server/src/main.ts',
      'server/src/cli/cli.ts',
      'scripts/start.ts',
      'server/src/testing/cluster.ts',
    ])
      expect(violations(file, reads)).toEqual([])
  })
})

describe('an allowed import passes', () => {
  it.each([
    ['wire/src/schema.ts', 'zod/mini'],
    ['wire/src/message/message.ts', '../guild/guild.ts'],
    ['wire/src/guild/guild.ts', '../permission/bits.ts'],
    ['wire/src/routes.ts', './message/message.ts'],
    ['wire/src/guild/guild.test.ts', 'vitest'],
    ['server/src/boost/boost.ts', '../guild/guild.ts'],
    ['server/src/boost/boost.ts', './sql.ts'],
    ['server/src/boost/boost.ts', '../kit/database/db.ts'],
    ['server/src/boost/boost.ts', '@guildhall/wire/boost/level.ts'],
    ['server/src/boost/boost.pg.test.ts', '../testing/world.ts'],
    ['server/src/gateway/audience.ts', '../channel/channel.ts'],
    ['server/src/gateway/connectionAcceptor.ts', 'ws'],
    ['server/src/guild/module.ts', './routes.ts'],
    ['server/src/app/modules.ts', '../guild/module.ts'],
    ['server/src/app/modules.ts', '../guild/guild.ts'],
    ['server/src/app/app.ts', '../demo/seed.ts'],
    ['server/src/app/app.ts', '@guildhall/sandbox/sandbox.ts'],
    ['server/src/cli/cli.ts', '@guildhall/sandbox/control.ts'],
    ['server/src/outside/payment/wechat/wechat.test.ts', '@guildhall/sandbox/certificate.ts'],
    ['sandbox/src/tradeStore.ts', '@guildhall/server/outside/payment/payProvider.ts'],
    ['sandbox/src/tradeStore.ts', '@guildhall/server/kit/clock.ts'],
    ['sandbox/src/tradeStore.ts', '@guildhall/wire/money.ts'],
    ['sandbox/src/tradeStore.ts', './dialogue.ts'],
    ['sandbox/src/alipay/alipay.test.ts', '@guildhall/server/outside/payment/alipay/alipay.ts'],
    ['server/src/cli/cli.ts', '../demo/world.ts'],
    ['server/src/demo/seed.ts', '../message/message.ts'],
    ['server/src/main.ts', './app/app.ts'],
    ['server/src/kit/database/db.ts', 'pg'],
    ['server/src/kit/jobs.ts', 'pg-boss'],
    ['server/src/kit/database/store.ts', '../../config.ts'],
    ['server/src/config.ts', './kit/operatorError.ts'],
    ['server/src/kit/http/screens.ts', '@fastify/static'],
    ['web/src/app/pages.tsx', '../guild/GuildScreen.tsx'],
    ['web/src/app/App.tsx', '../testing/gallery/Gallery.tsx'],
    ['web/src/room/RoomScreen.tsx', '../guild/guild.ts'],
    ['web/src/room/RoomScreen.tsx', './MessageList.tsx'],
    ['web/src/room/list/MessageList.tsx', '../message/MessageRow.tsx'],
    ['e2e/story.e2e.ts', '../server/src/testing/world.ts'],
    ['e2e/story.e2e.ts', '../server/src/demo/world.ts'],
    ['e2e/story.e2e.ts', '@guildhall/wire/route.ts'],
    ['e2e/connection/connectionModel.ts', '../../web/src/roomStore/room.ts'],
    ['e2e/connection/connectionModel.ts', '../server/src/gateway/session.ts'],
  ])('%s importing %s', (file, target) => {
    expect(violations(file, one(target))).toEqual([])
  })
})

it('every form of import is found, and comments are ignored', () => {
  const source = `
import a from './a.ts'
import type { B } from "./b.ts"
import {
  c,
} from './c.ts'
import './d.ts'
export * from './e.ts'
export { f } from './f.ts'
const g = await import('./g.ts')
// import h from './h.ts'
/** import i from './i.ts' */
const from = 'nothing'
`
  expect(importsOf('web/src/kit/x.ts', source)).toEqual(
    ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => `web/src/kit/${name}.ts`),
  )
})

it('what a noun brings is taken by the app', async () => {
  const files = await sourceFiles()
  const ofApp = files.filter((file) => /^server\/src\/app\/[^.]+\.ts$/.test(file))
  const taken = new Set<string>()
  for (const file of ofApp)
    for (const target of importsOf(file, await readFile(file, 'utf8'))) taken.add(target)
  const modules = NOUNS.map((noun) => `server/src/${noun}/module.ts`).filter((file) => files.includes(file))
  const calls = files.filter((file) => /^server\/src\/\w+\/routes\.ts$/.test(file))
  expect(
    calls.map((file) => file.replace('routes', 'module')).filter((file) => !modules.includes(file)),
  ).toEqual([])
  expect(modules.filter((file) => !taken.has(file))).toEqual([])
})

it('a circle of imports is found, also a long one, and a file that is reached twice is none', () => {
  const graph = new Map([
    ['a', ['b', 'c']],
    ['b', ['d']],
    ['c', ['d']],
    ['d', ['e']],
    ['e', ['c']],
  ])
  expect(circles(graph)).toEqual([['d', 'e', 'c']])
  expect(
    circles(
      new Map([
        ['a', ['b', 'c']],
        ['b', ['c']],
      ]),
    ),
  ).toEqual([])
})

it('this repository follows the rules', async () => {
  const broken: string[] = []
  const graph = new Map<string, readonly string[]>()
  for (const file of await sourceFiles()) {
    const source = await readFile(file, 'utf8')
    broken.push(...violations(file, source))
    graph.set(file, importsOf(file, source, 'static'))
  }
  expect(broken).toEqual([])
  expect(circles(graph)).toEqual([])
})
