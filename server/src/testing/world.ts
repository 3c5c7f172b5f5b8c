/** One seeded world for tests: its own database, the cast, and the app on it. Calls are injected as HTTP requests. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { login } from '@guildhall/wire/auth/login.ts'
import type { FailureName } from '@guildhall/wire/failure.ts'
import { type AnswerOf, pathParams, type Route } from '@guildhall/wire/route.ts'
import { staffLogin } from '@guildhall/wire/staff/session.ts'
import { type App, startApp } from '../app/app.ts'
import { codeNow } from '../auth/auth.ts'
import { readConfig } from '../config.ts'
import { places } from '../demo/text.ts'
import { type CastMember, type CastName, readWorld, type World, type WorldChannel } from '../demo/world.ts'
import type { Db } from '../kit/db.ts'
import type { InjectedReply } from '../kit/http/server.ts'
import { openLog } from '../kit/log.ts'
import { openWorldDatabase, type TestDatabase } from './database.ts'

/** A refused call, with the answer of the server. */
export class Refused extends Error {
  readonly failure: FailureName | undefined
  readonly status: number
  readonly body: RefusedBody

  constructor(status: number, body: RefusedBody) {
    const name = body.data?.error
    super(`${status} ${name} ${JSON.stringify(body.message)}`)
    this.name = 'Refused'
    this.failure = name
    this.status = status
    this.body = body
  }
}

/** The name of the failure that a call is refused with, `'none'` when it is not; anything else that is thrown is thrown on. */
export const refusalOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'none',
    (error: unknown) => {
      if (error instanceof Refused) return String(error.failure)
      throw error
    },
  )

export interface RefusedBody {
  readonly code: number
  readonly message: string | Record<string, string>
  readonly error?: FailureName
  readonly data?: {
    readonly error: FailureName
    readonly errors?: Record<string, string>
    readonly extra?: Record<string, unknown>
  }
}

export type Call = <R extends Route>(route: R, input?: object) => Promise<AnswerOf<R>>

export interface TestWorld extends Pick<World, 'guilds' | 'channels' | 'invites'> {
  readonly app: App
  readonly database: TestDatabase
  readonly cast: Readonly<Record<CastName, CastMember>>
  /** Channels of the demo guild, by what they are for. */
  readonly main: WorldChannel
  readonly rules: WorldChannel
  readonly backstage: WorldChannel
  readonly voice: WorldChannel
  /** The demo guild's invite. */
  readonly invite: string
  /** Calls as someone of the cast, or, with null, as a guest. A refusal is thrown as `Refused`. */
  callAs(name: CastName | null): Call
  /** Calls with any token, from any address. */
  callWith(token: string | null, from?: { ip?: string; language?: string; agent?: string }): Call
  /** The session token of someone of the cast. */
  tokenOf(name: CastName): Promise<string>
  close(): Promise<void>
}

/** What `call` sends for a route: its method, address and body, as the page does it. */
export function requestOf(
  route: Route,
  input: object = {},
): { method: Route['method']; url: string; payload?: string } {
  const rest: Record<string, unknown> = { ...input }
  let url: string = route.path
  for (const name of pathParams(route.path)) {
    url = url.replace(`:${name}`, encodeURIComponent(String(rest[name])))
    delete rest[name]
  }
  if (route.method !== 'GET') return { method: route.method, url, payload: JSON.stringify(rest) }
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(rest)) if (value !== undefined) query.set(key, String(value))
  return { method: 'GET', url: query.size > 0 ? `${url}?${query}` : url }
}

/** The answer inside a reply. @throws Refused */
export function answerIn<R extends Route>(route: R, reply: InjectedReply): AnswerOf<R> {
  const body = JSON.parse(reply.text)
  const isRefused = reply.status !== 200 || (route.dialect === 'v3' && body.code !== 0)
  if (isRefused) throw new Refused(reply.status, body)
  return route.dialect === 'v3' ? body.data : body
}

/** What somebody's authenticator shows now, as a field of a login; nothing for people without. */
export const shownFactor = ({ second_factor }: CastMember): { second_factor?: string } =>
  second_factor === '' ? {} : { second_factor: codeNow(second_factor) }

/** A code of somebody's authenticator, which may be used again at once; null: they have none. */
export async function secondFactorOf(db: Db, it: CastMember): Promise<string | null> {
  if (it.second_factor === '') return null
  await db.updateTable('second_factor').set({ used_steps: [] }).where('user_id', '=', it.id).execute()
  return codeNow(it.second_factor)
}

/** Opens a seeded world on its own database, with further variables. `close` drops it. */
export async function openWorld(env: Readonly<Record<string, string>> = {}): Promise<TestWorld> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'guildhall-data-'))
  const database = await openWorldDatabase(dataDir)
  const config = readConfig(
    {
      ...{ DEMO: '1', DATA_DIR: dataDir, FETCH_OUTSIDE: '0', RATE_LIMIT_SCALE: '1000' },
      // Several worlds may listen at once.
      PORT: String(20_000 + Math.floor(Math.random() * 12_000)),
      ...env,
    },
    '/',
  )
  const app = await startApp({
    config,
    database,
    log: openLog('quiet'),
    webDir: '/nowhere',
    checkAnswers: true,
  })
  const world = await readWorld(database.db)
  const cast = world.cast as Record<CastName, CastMember>
  const demo = world.guilds[0]
  const channel = (name: string) => {
    const found = world.channels.find((each) => each.guild_id === demo?.id && each.name === name)
    if (!found) throw new Error(`the demo guild has no channel ${name}`)
    return found
  }
  const tokens = new Map<CastName, Promise<string>>()

  const callWith: TestWorld['callWith'] =
    (token, from = {}) =>
    async (route, input) => {
      const request = requestOf(route, input)
      const headers: Record<string, string> = { 'content-type': 'application/json' }
      if (token) headers.authorization = token
      if (from.language) headers['accept-language'] = from.language
      if (from.agent) headers['user-agent'] = from.agent
      return answerIn(
        route,
        await app.inject({ ...request, headers, ...(from.ip && { remoteAddress: from.ip }) }),
      )
    }
  const tokenOf = (name: CastName): Promise<string> => {
    let token = tokens.get(name)
    if (!token) {
      const { mobile, prefix, password, second_factor } = cast[name]
      const enter = second_factor === '' ? login : staffLogin
      token = secondFactorOf(database.db, cast[name]).then(async (code) => {
        const it = { mobile, mobile_prefix: prefix, password, ...(code && { second_factor: code }) }
        return (await callWith(null)(enter as typeof login, it)).token
      })
      tokens.set(name, token)
    }
    return token
  }
  return {
    ...world,
    app,
    database,
    cast,
    main: channel(places.demo.main),
    rules: channel(places.demo.rules),
    backstage: channel(places.demo.private),
    voice: channel(places.demo.voice),
    invite: world.invites.find(({ guild_id }) => guild_id === demo?.id)?.code ?? '',
    callAs: (name) => async (route, input) =>
      callWith(name === null ? null : await tokenOf(name))(route, input),
    callWith,
    tokenOf,
    async close() {
      await app.close()
      await database.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
