// What happens when a whole guild wakes up at once: pages that connect again after a restart, pages that
// ask what a changed role means for them, and people who open one room from a notification. One node, the
// clients beside it.
import { userState } from '@guildhall/wire/auth/userState.ts'
import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import { listGuilds } from '@guildhall/wire/guild/guild.ts'
import { history } from '@guildhall/wire/message/message.ts'
import { listUnread, listWaiting } from '@guildhall/wire/message/readMark.ts'
import { report, startMeasuring } from './kit/figures.ts'
import { Child, type Seat, type Sent, type Waited } from './room/ask.ts'

const PAGES = 5_000
const OPENERS = 2_000
const MESSAGES = 60
const RECONNECT_WITHIN_MS = 10_000
/** What the pages of a guild do at once today, and spread over these times, ms. */
const SPREADS_MS = [0, 1_000, 5_000]

interface Room {
  readonly port: number
  readonly guildId: string
  readonly channelId: string
  readonly seats: readonly Seat[]
}

export async function run(): Promise<void> {
  const server = new Child('server')
  const pages = new Child('pages')
  const clients = new Child('clients')
  try {
    for (const child of [server, pages, clients]) await child.started()
    const room = await server.ask<Room>({ ask: 'seed', connections: PAGES })
    const { port, guildId, channelId, seats } = room
    await clients.ask<Sent>({
      ask: 'send',
      port,
      tokens: seats.slice(0, 8).map(({ token }) => token),
      channelId,
      ratePerS: 200,
      forMs: (MESSAGES / 200) * 1_000,
    })
    const wake = async (name: string, count: number, calls: readonly string[], withinMs: number) => {
      startMeasuring()
      const before = await server.ask<number>({ ask: 'cpu' })
      const it = await pages.ask<Waited>({
        ask: 'pages',
        port,
        seats: seats.slice(0, count),
        calls,
        withinMs,
      })
      const cpu = (await server.ask<number>({ ask: 'cpu' })) - before
      console.log(
        `${name}: p50 ${it.p50.toFixed(0)} ms, p99 ${it.p99.toFixed(0)} ms, worst ${it.max.toFixed(0)} ms, ${it.refused} refused, ${(cpu / count / 1_000).toFixed(2)} ms of the server each`,
      )
      report({ name: `${name}, 99 % wait`, value: it.p99, unit: 'ms' })
    }
    const guild = viewGuild.path.replace(':id', guildId)
    const unread = `${listUnread.path}?guild_id=${guildId}`
    const changed = [guild, listGuilds.path, unread, listWaiting.path]
    for (const spread of SPREADS_MS)
      await wake(`${PAGES} pages ask after a changed role within ${spread} ms`, PAGES, changed, spread)
    const opened = [userState.path, guild, unread, history.path.replace(':id', channelId)]
    await wake(`${OPENERS} people open one room at once`, OPENERS, opened, 0)
    const connected = [userState.path, guild, unread, '{gateway}']
    await wake(
      `${PAGES} pages connect again within ${RECONNECT_WITHIN_MS / 1_000} s`,
      PAGES,
      connected,
      RECONNECT_WITHIN_MS,
    )
  } finally {
    for (const child of [pages, clients, server]) await child.end()
  }
}
