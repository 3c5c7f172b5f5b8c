// The bare `ws` server that the room benchmark compares with.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventOf } from '@guildhall/wire/message/event.ts'
import { WebSocketServer } from 'ws'
import { ids } from '../../../server/src/kit/ids.ts'
import { answer, cpu, HOST, TEXT } from './ask.ts'

/** A `ws` server that only broadcasts one constant frame of the protocol's full size. */
async function serveBare(): Promise<void> {
  const server = createServer()
  const sockets = new WebSocketServer({ server, perMessageDeflate: false })
  await new Promise<void>((done) => server.listen({ port: 0, host: HOST, backlog: 4096 }, done))
  const author = {
    id: '619360001',
    username: 'ann',
    identify_num: '6620',
    online: true,
    avatar: '',
    nickname: '小满',
    roles: [],
  }
  const d = eventOf(
    {
      id: ids.uuid(),
      channel_id: '20',
      guild_id: '10',
      type: 9,
      content: TEXT,
      create_at: Date.now(),
      updated_at: 0,
      author,
      nonce: ids.uuid(),
      mention: [],
      mention_all: false,
      mention_here: false,
      mention_roles: [],
      kmarkdown: { raw_content: TEXT, mention_part: [], mention_role_part: [], channel_part: [] },
      quote: null,
      attachments: null,
      reactions: [],
      embeds: [],
      seq: 1,
    } as never,
    { name: 'room', type: 1 },
    'specification',
  )
  const frame = JSON.stringify({ s: 0, sn: 1, d })
  answer(
    async (it) => {
      if (it.ask === 'cpu') return cpu()
      if (it.ask !== 'broadcast') throw new Error(`a bare server cannot ${it.ask}`)
      const { burst = 1 } = it
      for (let n = 1; n <= it.times; n += 1) {
        for (const ws of sockets.clients) ws.send(frame)
        if (n % burst === 0) await sleep(it.gapMs * burst)
      }
      return it.times
    },
    (server.address() as AddressInfo).port,
  )
}

await serveBare()
