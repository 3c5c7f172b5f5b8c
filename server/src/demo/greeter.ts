/**
 * The bot of the demo guild: it is online, greets who joins, and answers who mentions it. It speaks the
 * public API and gateway alone, as any bot does: docs/bots.md.
 */
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { giveBotToken } from '../auth/auth.ts'
import { type AppContext, commit } from '../kit/events/events.ts'
import { greeter as text } from './text.ts'

const HEARTBEAT_MS = 30 * SECOND_MS
const RECONNECT_MS = 5 * SECOND_MS

/** The frames that it reads. protocol.md §2. */
interface Frame {
  readonly s: number
  readonly sn?: number
  readonly d?: {
    readonly target_id?: string
    readonly author_id?: string
    readonly msg_id?: string
    readonly extra?: {
      readonly type?: number | string
      readonly mention?: readonly string[]
      readonly body?: { readonly user_id?: string }
    }
  }
}

/** The demo guild's bot, its guild and the channel where newcomers are greeted; null when it is not there. */
async function findGreeter({ db }: Pick<AppContext, 'db'>) {
  const row = await db
    .selectFrom('membership')
    .innerJoin('user', 'user.id', 'membership.user_id')
    .innerJoin('guild', 'guild.id', 'membership.guild_id')
    .select(['user.id', 'guild.id as guildId', 'guild.welcome_channel_id as channelId'])
    .where('user.bot', '=', true)
    .where('user.username', '=', text.name)
    .where('guild.deleted_at', 'is', null)
    .orderBy('guild.id')
    .executeTakeFirst()
  return row?.channelId ? { ...row, channelId: row.channelId } : null
}

/**
 * Lets it come online; returns what ends it. Without such a bot it does nothing. `url`: where the server
 * listens.
 */
export async function startGreeter(appContext: AppContext, url: string): Promise<() => void> {
  const me = await findGreeter(appContext)
  if (!me) return () => undefined
  const token = await commit(appContext, (tx, emit) => giveBotToken(tx, emit, me.id))
  const headers = { authorization: `Bot ${token}`, 'content-type': 'application/json' }
  let socket: WebSocket | null = null
  let timer: NodeJS.Timeout | undefined
  let isOver = false

  const say = (content: string, more: object = {}): void => {
    const body = JSON.stringify({ type: 9, target_id: me.channelId, content, ...more })
    fetch(`${url}/api/v3/message/create`, { method: 'POST', headers, body }).catch(() => undefined)
  }
  const onFrame = ({ d, s }: Frame): void => {
    if (s !== 0 || !d?.extra) return
    const { type, body, mention } = d.extra
    if (type === 'joined_guild' && d.target_id === me.guildId && body?.user_id)
      say(text.greeting(`(met)${body.user_id}(met)`))
    if (mention?.includes(me.id) && d.author_id !== me.id)
      say(text.answer, { target_id: d.target_id, quote: d.msg_id })
  }
  const connect = async (): Promise<void> => {
    const answer = await fetch(`${url}/api/v3/gateway/index?compress=0`, { headers })
    // Another server of this database has it now.
    if (answer.status === 401) isOver = true
    if (isOver) return
    const { data } = (await answer.json()) as { data: { url: string } }
    let sn = 0
    const opened = new WebSocket(data.url)
    socket = opened
    let heartbeat: NodeJS.Timeout | undefined
    // Not before: a server that takes long to answer is not connected yet, and a send would throw.
    opened.addEventListener('open', () => {
      heartbeat = setInterval(() => opened.send(JSON.stringify({ s: 2, sn })), HEARTBEAT_MS)
    })
    opened.addEventListener('message', (event) => {
      const frame = JSON.parse(String(event.data)) as Frame
      sn = frame.sn ?? sn
      onFrame(frame)
    })
    opened.addEventListener('close', () => {
      clearInterval(heartbeat)
      connectLater()
    })
  }
  const connectLater = (): void => {
    if (!isOver) timer = setTimeout(() => connect().catch(connectLater), RECONNECT_MS)
  }
  await connect().catch(connectLater)
  return () => {
    isOver = true
    clearTimeout(timer)
    socket?.close()
  }
}
