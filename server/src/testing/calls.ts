/**
 * The tool box of tests that call the server: who calls, what a call is refused with, and the set-up that
 * many tests need. `openWorld` injects the requests and `openTestServer` sends them over HTTP; both give the
 * same tools.
 */
import { createAsset, type Uploaded, uploadFile } from '@guildhall/wire/asset/asset.ts'
import { type CodeType, type Session, sendCode } from '@guildhall/wire/auth/auth.ts'
import { login, verifyCodeLogin } from '@guildhall/wire/auth/login.ts'
import { Failure, type FailureName } from '@guildhall/wire/failure.ts'
import { handleRequest, listFriends, requestFriend } from '@guildhall/wire/friend/friend.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { type Message, sendToChannel } from '@guildhall/wire/message/message.ts'
import { type AnswerOf, pathParams, type Route } from '@guildhall/wire/route.ts'
import { staffLogin } from '@guildhall/wire/staff/session.ts'
import { codeNow, enrolSecondFactor } from '../auth/auth.ts'
import { runCommand } from '../cli/cli.ts'
import type { Config } from '../config.ts'
import type { DemoPerson, PersonName } from '../demo/world.ts'
import { type Db, transaction } from '../kit/database/db.ts'
import type { Injected, InjectedReply } from '../kit/http/server.ts'
import type { SentCode } from '../outside/sms/devSms.ts'
import { testKeys } from './keys.ts'

/** Somebody of the demo world, a guest (null), or whoever holds a token. */
export type Who = PersonName | null | { readonly token: string | null } | { readonly bot: string }

/**
 * Where a request comes from. `ip` is believed of an injected request, and of another one by a server that
 * trusts this machine as a proxy.
 */
export interface From {
  readonly ip?: string
  readonly language?: string
  readonly agent?: string
}

/** `file`: what an upload sends, in the form field that its route names. */
export type Call = <R extends Route>(route: R, input?: object, file?: File) => Promise<AnswerOf<R>>

/** What somebody can do in a test. */
export interface Person {
  /** Calls, and returns the answer. A refusal is thrown as `Refused`. */
  readonly call: Call
  /** The name of the failure that a call is refused with; `'none'` when it is not. */
  refusal(route: Route, input?: object, file?: File): Promise<FailureName | 'none'>
  /** Sends a message to a channel. `more`: its nonce, and what else its content says: type, quote. */
  say(
    channelId: string,
    content: string,
    more?: { readonly nonce?: string; readonly [field: string]: unknown },
  ): Promise<Message>
  /** Uploads a file that messages can show. */
  upload(content: Buffer | string, name?: string): Promise<Uploaded>
}

/** Somebody who registered with a code, in a network of their own. */
export interface Newcomer extends Person {
  readonly id: UserId
  readonly mobile: string
  readonly session: Session
  /** Asks for a code to their number, from their network, and reads it. */
  askCode(type?: CodeType): Promise<string>
}

export interface Calls {
  as(who: Who, from?: From): Person
  /** A person of the demo people. */
  person(name: PersonName): DemoPerson
  idOf(name: PersonName): UserId
  /**
   * The token of somebody's first login, for tests that end no session. Of people with a second factor it is
   * one of the console.
   */
  tokenOf(name: PersonName): Promise<string>
  /** Logs somebody in; the token of the new session. */
  login(name: PersonName): Promise<string>
  /** The codes that were sent to a number, the newest first. */
  codesFor(mobile: string): Promise<readonly SentCode[]>
  /** The newest of them. */
  codeFor(mobile: string): Promise<string>
  /** Asks for a code and reads it. `ip`: by default that of a new network. */
  askCode(mobile: string, type?: CodeType, ip?: string): Promise<string>
  /** Registers somebody. */
  newcomer(mobile?: string): Promise<Newcomer>
  /** One asks, the other accepts. */
  befriend(asker: PersonName, asked: PersonName): Promise<void>
  /** Runs a command of the command line: one line, whose words are separated by one space, or its words. */
  command<T = Record<string, unknown>>(...words: readonly string[]): Promise<T>
}

let numbers = 13_600_000_000
/** A mobile number that nobody has. */
export const newNumber = (): string => String(++numbers)

let networks = 0
/** Another network each time, for what a limit counts by network. */
export const newNetwork = (): string => `10.3.${++networks >> 8}.${networks & 255}`

/** Sends a request and reads the reply. */
export type Send = (request: Injected) => Promise<InjectedReply>

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

/**
 * What a call, or a rule, is refused with: its name, `'none'` when it is not. Anything else that is thrown is
 * thrown on.
 */
export const refusalOf = (work: Promise<unknown>): Promise<FailureName | 'none'> =>
  work.then(
    () => 'none',
    (error: unknown) => {
      if ((error instanceof Refused || error instanceof Failure) && error.failure) return error.failure
      throw error
    },
  )

/** The whole refusal of a call that must be refused. */
export const refusedCall = (call: Promise<unknown>): Promise<Refused> =>
  call.then(
    () => {
      throw new Error('it was not refused')
    },
    (error: unknown) => {
      if (error instanceof Refused) return error
      throw error
    },
  )

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
export function answerIn<R extends Route>(
  route: R,
  reply: Pick<InjectedReply, 'status' | 'text'>,
): AnswerOf<R> {
  const body = JSON.parse(reply.text)
  const isRefused = reply.status !== 200 || (route.dialect === 'v3' && body.code !== 0)
  if (isRefused) throw new Refused(reply.status, body)
  return route.dialect === 'v3' ? body.data : body
}

/** What an upload sends. */
export const fileNamed = (content: Buffer | string, name: string): File =>
  new File([content as string | Uint8Array<ArrayBuffer>], name)

/** A form as it is sent. */
async function formOf(field: string, input: object, file?: File): Promise<{ type: string; payload: Buffer }> {
  const form = new FormData()
  for (const [key, value] of Object.entries(input)) if (value !== undefined) form.append(key, String(value))
  if (file) form.append(field, file)
  const encoded = new Response(form)
  return {
    type: encoded.headers.get('content-type') ?? '',
    payload: Buffer.from(await encoded.arrayBuffer()),
  }
}

/** A call with a value of Authorization, null: without. */
export const callOver =
  (send: Send, authorization: string | null, { ip, language, agent }: From = {}): Call =>
  async (route, input = {}, file) => {
    const { type, payload } = route.form
      ? await formOf(route.form, input, file)
      : { type: 'application/json', payload: undefined }
    const headers = {
      'content-type': type,
      ...(authorization && { authorization }),
      ...(language && { 'accept-language': language }),
      ...(agent && { 'user-agent': agent }),
    }
    const request = { ...requestOf(route, input), ...(payload && { payload }), headers }
    return answerIn(route, await send({ ...request, ...(ip && { remoteAddress: ip }) }))
  }

/** Sends over HTTP. A request from another address is one that a proxy forwards. */
export const sendTo =
  (url: string): Send =>
  async ({ url: path, method, headers, payload, remoteAddress }) => {
    const reply = await fetch(url + path, {
      method,
      redirect: 'manual',
      ...(payload !== undefined && { body: payload as string | Uint8Array<ArrayBuffer> }),
      headers: { ...headers, ...(remoteAddress && { 'x-forwarded-for': remoteAddress }) },
    })
    return { status: reply.status, headers: Object.fromEntries(reply.headers), text: await reply.text() }
  }

/** What somebody's authenticator shows now, as a field of a login; nothing for people without. */
export const shownFactor = ({ second_factor }: DemoPerson): { second_factor?: string } =>
  second_factor === '' ? {} : { second_factor: codeNow(second_factor) }

/** A code of somebody's authenticator, which may be used again at once; null: they have none. */
export async function secondFactorOf(db: Db, input: DemoPerson): Promise<string | null> {
  if (input.second_factor === '') return null
  await db.updateTable('second_factor').set({ used_steps: [] }).where('user_id', '=', input.id).execute()
  return codeNow(input.second_factor)
}

/** Turns the second factor of somebody on, so that the console lets them in. */
export const withSecondFactor = async (db: Db, person: DemoPerson): Promise<DemoPerson> => ({
  ...person,
  second_factor: await transaction(db, (tx) => enrolSecondFactor(tx, person.id, testKeys)),
})

/** The tools of a test. `config`: that of commands beside the server. */
export function openCalls({
  send,
  db,
  people,
  config,
}: {
  readonly send: Send
  readonly db: Db
  readonly people: Readonly<Record<string, DemoPerson>>
  readonly config: Config
}): Calls {
  const tokens = new Map<PersonName, Promise<string>>()
  const { outboxToken } = config
  const outboxHeaders = outboxToken === null ? {} : { authorization: `Bearer ${outboxToken}` }
  const person: Calls['person'] = (name) => {
    const found = people[name]
    if (!found) throw new Error(`the demo world has no ${name}`)
    return found
  }
  const tokenOf: Calls['tokenOf'] = (name) => {
    const token = tokens.get(name) ?? enter(name)
    tokens.set(name, token)
    return token
  }
  /** Those of people with a second factor, who use pages as well as the console. */
  const pageTokens = new Map<PersonName, Promise<string>>()
  const pageTokenOf = (name: PersonName): Promise<string> => {
    if (person(name).second_factor === '') return tokenOf(name)
    const token = pageTokens.get(name) ?? enterPage(name)
    pageTokens.set(name, token)
    return token
  }
  async function authorizationOf(who: Who, route: Route): Promise<string | null> {
    if (who === null) return null
    if (typeof who === 'string') return route.who === 'staff' ? tokenOf(who) : pageTokenOf(who)
    return 'bot' in who ? `Bot ${who.bot}` : who.token
  }
  function as(who: Who, from?: From): Person {
    const call: Call = async (route, ...it) =>
      callOver(send, await authorizationOf(who, route), from)(route, ...it)
    const isBot = who !== null && typeof who === 'object' && 'bot' in who
    return {
      call,
      refusal: (...it) => refusalOf(call(...it)),
      async say(id, content, { nonce, ...more } = {}) {
        return (await call(sendToChannel, { id, nonce, content: JSON.stringify({ content, ...more }) }))
          .message
      },
      // The page's own calls are closed to bots.
      upload: (content, name = 'file.bin') =>
        call(isBot ? createAsset : uploadFile, {}, fileNamed(content, name)),
    }
  }
  const enter = (name: PersonName): Promise<string> =>
    person(name).second_factor === '' ? enterPage(name) : enterConsole(name)
  async function enterPage(name: PersonName): Promise<string> {
    return (await as(null).call(login, await credentialsOf(name))).token
  }
  async function enterConsole(name: PersonName): Promise<string> {
    return (await as(null).call(staffLogin, await credentialsOf(name))).token
  }
  async function credentialsOf(name: PersonName) {
    const { mobile, prefix, password } = person(name)
    const second_factor = await secondFactorOf(db, person(name))
    return { mobile, mobile_prefix: prefix, password, ...(second_factor !== null && { second_factor }) }
  }
  const codesFor: Calls['codesFor'] = async (mobile) =>
    JSON.parse(
      (await send({ method: 'GET', url: `/dev/outbox?mobile=${mobile}`, headers: outboxHeaders })).text,
    )
  async function codeFor(mobile: string): Promise<string> {
    const [sent] = await codesFor(mobile)
    if (!sent) throw new Error(`no code was sent to ${mobile}`)
    return sent.code
  }
  const askCode: Calls['askCode'] = async (mobile, type, ip = newNetwork()) => {
    await as(null, { ip }).call(sendCode, { mobile, type })
    return codeFor(mobile)
  }
  return {
    as,
    person,
    tokenOf,
    codesFor,
    codeFor,
    askCode,
    login: enter,
    idOf: (name) => person(name).id,
    async newcomer(mobile = newNumber()) {
      const ip = newNetwork()
      const code = await askCode(mobile, 'login', ip)
      const session = await as(null, { ip }).call(verifyCodeLogin, { mobile, code })
      return {
        ...as({ token: session.token }, { ip }),
        id: session.user.id as UserId,
        mobile,
        session,
        askCode: (type) => askCode(mobile, type, ip),
      }
    },
    async befriend(asker, asked) {
      const { username, identify_num } = person(asked)
      await as(asker).call(requestFriend, { user_code: `${username}#${identify_num}` })
      const { request } = await as(asked).call(listFriends)
      const [{ id } = { id: 0 }] = request.filter(({ friend_info }) => friend_info.id === person(asker).id)
      await as(asked).call(handleRequest, { id, accept: 1 })
    },
    command: async <T>(...words: readonly string[]) =>
      (await runCommand(words.length === 1 ? words[0]!.split(' ') : [...words], config)) as T,
  }
}
