/** The statements that a message needs, as the product runs them, and what an engine refuses of them. */
import { sql } from 'kysely'
import { createChannel } from '../../server/src/channel/channel.ts'
import type { Database, Db, Pool } from '../../server/src/kit/database/db.ts'
import { DISTRIBUTION, type Distribution } from '../../server/src/kit/database/distribution.ts'
import { openBus } from '../../server/src/kit/events/bus.ts'
import { commit, eventLogOf } from '../../server/src/kit/events/events.ts'
import { createGuild } from '../../server/src/member/member.ts'
import { history } from '../../server/src/message/history.ts'
import { openSendPipeline, send } from '../../server/src/message/message.ts'
import { markRead, waitingFor } from '../../server/src/message/readMark.ts'
import { openFakePresence } from '../../server/src/testing/fakePresence.ts'
import { register } from '../../server/src/user/user.ts'

export interface Statement {
  readonly act: string
  readonly text: string
}

/** Sends messages in a guild of its own, reads them, and returns each statement once. */
export async function statementsOfMessages({ db, pool }: Database): Promise<readonly Statement[]> {
  const recorded = recordedOf(pool)
  const acts = await actsIn(db)
  const seen = new Set<string>()
  const statements: Statement[] = []
  for (const [act, run] of Object.entries(acts)) {
    recorded.length = 0
    await run()
    for (const text of recorded) {
      if (seen.has(text) || !IS_STATEMENT.test(text)) continue
      seen.add(text)
      statements.push({ act, text })
    }
  }
  return statements
}

/** Not `begin` and the like. */
const IS_STATEMENT = /^\s*(?:\/\*[^*]*\*\/\s*)?(?:with|select|insert|update|delete)\b/i

/** Collects the text of what runs on the pool's connections from now on. */
function recordedOf(pool: Pool): string[] {
  const recorded: string[] = []
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    Object.assign(client, {
      query(first: string | { readonly text: string }, ...rest: unknown[]) {
        recorded.push(typeof first === 'string' ? first : first.text)
        return query(first, ...rest)
      },
    })
  })
  return recorded
}

async function actsIn(db: Db): Promise<Readonly<Record<string, () => Promise<unknown>>>> {
  const bus = openBus(eventLogOf(db))
  const appContext = { db, bus, presence: openFakePresence(), publicUrl: 'http://here' }
  const person = { prefix: '86', mobile: '13900000000', verified: true, makeName: () => '会长' }
  const { user } = await commit(appContext, (tx) => register(tx, person))
  const [guildId, channelId] = await commit(appContext, async (tx, emit) => {
    const guildId = await createGuild(tx, emit, { name: '星海', ownerId: user.id })
    return [guildId, await createChannel(tx, emit, { guildId, name: '大厅', type: 1 })] as const
  })
  const pipeline = openSendPipeline(db, undefined, bus)
  const say = (content: string) =>
    send(appContext, user.id, { channelId, kind: 'kmarkdown', content, nonce: content }, pipeline)
  const page = { conversationId: channelId, anchor: undefined, flag: 'before', limit: 50 } as const
  return {
    'a send': () => say('晚上八点'),
    'a send that mentions somebody': () => say(`(met)${user.id}(met) 来吗`),
    'a page of history': () => history(appContext, user.id, page),
    'a channel is read': () => markRead(appContext, user.id, { channelId, upTo: undefined }),
    'what waits for a person': () => waitingFor(db, user.id),
    'the events of a guild after a lost connection': () => eventLogOf(db).after(`guild:${guildId}`, 0, 100),
  }
}

/** A node of a plan. */
interface Plan {
  readonly [key: string]: unknown
  readonly 'Relation Name'?: string
  readonly 'Node Type': string
  readonly Plans?: readonly Plan[]
}

/**
 * The tables of a statement, by the plan that PostgreSQL makes of it, and why an engine cannot run it on one
 * server.
 */
export async function judge(
  db: Db,
  text: string,
): Promise<{ readonly tables: readonly string[]; readonly why: readonly string[] }> {
  const { rows } = await sql<{ 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>`
    explain (generic_plan, format json) ${sql.raw(text)}`.execute(db)
  const nodes = nodesOf(rows[0]!['QUERY PLAN'][0]!.Plan).filter((it) => it['Relation Name'] !== undefined)
  const tables = [...new Set(nodes.map((it) => it['Relation Name']!))].sort()
  const listed: Readonly<Record<string, Distribution | undefined>> = DISTRIBUTION
  const groups = new Map<string, string[]>()
  for (const table of tables) {
    const it = listed[table]
    const group = typeof it === 'object' ? it.group : it
    if (group !== undefined && group !== 'reference') groups.set(group, [...(groups.get(group) ?? []), table])
  }
  const unnamed = nodes.flatMap((node) => {
    const it = listed[node['Relation Name']!]
    return typeof it === 'object' && !names(node, it.column) ? [node['Relation Name']!] : []
  })
  return {
    tables,
    why: [
      ...(groups.size > 1
        ? [`of ${[...groups].map(([group, own]) => `${group}: ${own.join(', ')}`).join('; ')}`]
        : []),
      ...(unnamed.length > 0
        ? [`does not name whose rows it wants of ${[...new Set(unnamed)].join(', ')}`]
        : []),
    ],
  }
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

/** Whether a read compares the column with a value of the statement; what is written is what was read. */
function names(node: Plan, column: string | null): boolean {
  if (column === null) return false
  if (node['Node Type'] === 'ModifyTable') return true
  const conditions = ['Index Cond', 'Recheck Cond', 'Filter'].map((key) => String(node[key] ?? ''))
  return conditions.some((it) => new RegExp(`\\b${column} = '?\\$\\d`).test(it))
}
