import type { FailureName } from '@guildhall/wire/failure.ts'
import { CALL_TIMEOUT_MS } from '@guildhall/wire/limit.ts'
import { type AnswerOf, type InputOf, pathParams, type Route } from '@guildhall/wire/route.ts'
import { clearUserStorage, readStored } from './browser/storage.ts'
import { takeEarlyAnswer } from './earlyAnswers.ts'
import { acceptLanguage, currentText } from './i18n.ts'
import { createListeners } from './listeners.ts'
import { text } from './text.ts'

/**
 * A name of the catalogue; `network`: the call got no answer; `bad_answer`: the answer does not fit the
 * contract. Other text too, because a newer server may use names that this page does not know.
 */
export type CallFailureName = FailureName | 'network' | 'bad_answer' | (string & {})

/**
 * A call that failed. Screens switch on `name`; `message` is text for the user; `fields` holds the text under
 * each form field; `extra` fills placeholders (`n`: seconds). chat.md §8.
 */
export class CallFailure extends Error {
  // Only declared: for older browsers each defined field costs a helper.
  declare readonly name: CallFailureName
  declare readonly code: number
  declare readonly fields: Readonly<Record<string, string>>
  declare readonly extra: Readonly<Record<string, unknown>>

  constructor(
    name: CallFailureName,
    message: string,
    more: { code?: number; fields?: Record<string, string>; extra?: Record<string, unknown> } = {},
  ) {
    super(message)
    this.name = name
    this.code = more.code ?? 0
    this.fields = more.fields ?? {}
    this.extra = more.extra ?? {}
  }
}

/** Callers may leave out optional fields and those with a default. */
type Loose<T> = { [K in keyof T]?: T[K] }
export type CallInput<R> = Loose<InputOf<R>>

const TRANSIENT: ReadonlySet<string> = new Set(['network', 'unavailable', 'too_many'])
/** Whether another try is worth it: as far as is known, nothing was done and nothing refused for good. */
export const isTransient = ({ name }: CallFailure): boolean => TRANSIENT.has(name)

/** Where the token of calls is kept. */
export interface TokenStore {
  read(): string | null
  /** The session is over: the token and what belongs to its user go. */
  clear(): void
}

let tokenStore: TokenStore = { read: () => readStored('authorization'), clear: clearUserStorage }

/** Keeps the token in another store, for pages with a session of their own. */
export function keepTokenIn(store: TokenStore): void {
  tokenStore = store
}

const sessionEnd = createListeners()

/** Subscribes to the end of the session on the server; the user's data is deleted by then. chat.md §8. */
export const onSessionEnded = sessionEnd.subscribe

const callEnd = createListeners<[isAnswered: boolean]>()

/**
 * Subscribes to the end of every call: `isAnswered` is false when the network carried no answer. Aborted
 * calls say nothing.
 */
export const onCallEnd = callEnd.subscribe

/**
 * Has a captcha solved for a refused call. Answers the call's `sign`; empty: another call's was solved, so it
 * is worth another try; null: the user closed it.
 */
export type AskCaptcha = (failure: CallFailure, input: object) => Promise<string | null>

let askCaptcha: AskCaptcha | null = null

/** What asks for captchas. It is loaded when the first is needed. */
export function onCaptcha(ask: AskCaptcha | null): void {
  askCaptcha = ask
}

/** Asks for the second factor that a refused call needs, and makes it again. Answers what the call does. */
export type AskSecondFactor = (failure: CallFailure, ...refused: Parameters<typeof call>) => Promise<unknown>

let askSecondFactor: AskSecondFactor | null = null

/** What asks for the second factor. It is loaded when the first is needed. */
export function onSecondFactor(ask: AskSecondFactor | null): void {
  askSecondFactor = ask
}

let showMessage: (message: string) => void = () => undefined

/** What shows a message to the user: the toasts, once they are there. */
export function onMessage(show: (message: string) => void): void {
  showMessage = show
}

/** Shows a message to the user, for code that draws nothing itself. */
export const notifyUser = (message: string): void => showMessage(message)

/** How one call is made. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  /** The text of a failure is shown as a toast. chat.md §8. */
  readonly showMsg?: boolean
  readonly headers?: Readonly<Record<string, string>>
}

/** The code of a refusal that a captcha lifts. chat.md §8. */
const CAPTCHA_NEEDED = 1002

/**
 * Makes a call of the contract and returns its parsed answer. Waits at most five seconds. A call that needs a
 * captcha or the second factor is made again with it; when the user closes it, the failure has no message.
 * @throws CallFailure with the catalogue's name, `network` without an answer, `bad_answer` when it does not
 *   fit. chat.md §7 and §8, protocol.md §9.1.
 */
export async function call<R extends Route>(
  route: R,
  input: CallInput<R>,
  options: CallOptions = {},
): Promise<AnswerOf<R>> {
  for (let sign = ''; ; ) {
    try {
      return await callOnce(route, sign ? { ...input, sign } : input, options)
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error
      if (error.name === 'auth.second_factor_needed' && askSecondFactor)
        return (await askSecondFactor(error, route, input, options)) as AnswerOf<R>
      if (error.code !== CAPTCHA_NEEDED || sign || !askCaptcha) {
        if (options.showMsg && !options.signal?.aborted) showMessage(error.message)
        throw error
      }
      const solved = await askCaptcha(error, input)
      if (solved === null || options.signal?.aborted) throw new CallFailure(error.name, '', error)
      sign = solved
    }
  }
}

async function callOnce<R extends Route>(
  route: R,
  input: CallInput<R>,
  options: CallOptions,
): Promise<AnswerOf<R>> {
  let isAnswered = true
  try {
    return await exchange(route, input, options)
  } catch (error) {
    isAnswered = !(error instanceof CallFailure && error.name === 'network')
    throw error
  } finally {
    if (isAnswered || !options.signal?.aborted) callEnd.notify(isAnswered)
  }
}

async function exchange<R extends Route>(
  route: R,
  input: CallInput<R>,
  options: { signal?: AbortSignal | undefined },
): Promise<AnswerOf<R>> {
  const token = tokenStore.read()
  const response = await send(route, input, token, options)
  if (response.status !== 401) return readAnswer(route, response)

  // A 401 that is no answer of the server, such as that of a proxy's page, ends no session.
  if (!isObject(parse(await response.text()))) throw networkFailure()
  if (route.who !== 'anyone') endSession(token)
  else if (token !== null && token === tokenStore.read()) {
    tokenStore.clear()
    return readAnswer(route, await send(route, input, null, options))
  }
  throw new CallFailure('not_logged_in', currentText(text).notLoggedIn, { code: 401 })
}

/**
 * The server refused a token, null: a call without one, because another tab has logged out. Deletes the
 * user's data and tells the page, unless another token has replaced it meanwhile.
 */
export function endSession(token: string | null): void {
  if (token !== tokenStore.read()) return
  if (token !== null) tokenStore.clear()
  sessionEnd.notify()
}

/** A call without an answer of the server. */
export function networkFailure(): CallFailure {
  const t = currentText(text)
  return new CallFailure('network', navigator.onLine === false ? t.offline : t.network)
}

async function send(
  route: Route,
  input: object,
  token: string | null,
  { signal: outside, headers: more }: CallOptions,
): Promise<Response> {
  const rest: Record<string, unknown> = { ...input }
  let path: string = route.path
  for (const name of pathParams(route.path)) {
    path = path.replace(`:${name}`, encodeURIComponent(String(rest[name])))
    delete rest[name]
  }
  const headers: Record<string, string> = { 'Accept-Language': acceptLanguage(), ...more }
  if (token) headers.Authorization = token
  let body: string | null = null
  if (route.method === 'GET') {
    const query = new URLSearchParams()
    for (const key in rest) if (rest[key] !== undefined) query.set(key, String(rest[key]))
    // Not its `size`: that is newer than the oldest browsers.
    if (`${query}`) path += `?${query}`
  } else if (Object.keys(rest).length > 0) {
    headers['Content-Type'] = 'application/json'
    body = JSON.stringify(rest)
  }

  // Not AbortSignal.any and AbortSignal.timeout: the in-app browsers of iOS 15 have neither.
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), CALL_TIMEOUT_MS)
  const stop = () => limit.abort()
  if (outside?.aborted) limit.abort()
  outside?.addEventListener('abort', stop)
  try {
    const request = () =>
      fetch(path, { method: route.method, headers, body, credentials: 'include', signal: limit.signal })
    const early = route.method === 'GET' ? takeEarlyAnswer(path, token) : null
    const response = await (early ? early.catch(request) : request())
    // The timeout includes the body, which may stall as well.
    const answer = response.status === 204 ? '' : await response.text()
    return new Response(response.status === 204 ? null : answer, { status: response.status })
  } catch {
    throw networkFailure()
  } finally {
    clearTimeout(timer)
    outside?.removeEventListener('abort', stop)
  }
}

/** Parses a response. @throws CallFailure as `call` does */
export async function readAnswer<R extends Route>(route: R, response: Response): Promise<AnswerOf<R>> {
  const { ok, status } = response
  const body = parse(await response.text())
  if (!ok) throw refusal(status, body)
  // A page of a proxy or of a hotel's network answers 200 as well.
  if (body === null && status !== 204) throw networkFailure()
  let data = body
  if (body !== null && route.dialect === 'v3') {
    // Every answer of this dialect has a code.
    if (!isObject(body) || typeof body.code !== 'number') throw networkFailure()
    if (body.code !== 0) throw refusal(status, body)
    data = body.data
  }
  const answer = route.answer.safeParse(data ?? {})
  if (!answer.success) throw new CallFailure('bad_answer', currentText(text).error)
  return answer.data as AnswerOf<R>
}

function parse(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    return null
  }
}

type Plain = Record<string, unknown>
const isObject = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const plain = (value: unknown): Plain => (isObject(value) ? value : {})

function strings(value: unknown): Record<string, string> {
  const found: Record<string, string> = {}
  const given = plain(value)
  for (const key in given) {
    const [first] = [given[key]].flat()
    if (typeof first === 'string') found[key] = first
  }
  return found
}

/** The catalogue's name for an HTTP status, when the body contains none. chat.md §8. */
const BY_STATUS: Readonly<Record<number, FailureName>> = {
  401: 'not_logged_in',
  403: 'forbidden',
  404: 'not_found',
  413: 'too_large',
  429: 'too_many',
}

/** Statuses that mean the same without a body of ours, as a proxy answers them. */
const OF_PROXIES = [400, 403, 413, 429]

/** Names that say no more than their status does: the status determines the text. */
const UNSPECIFIC = /^(undefined|internal|unavailable|not_found)$/

/** The text that a status has whatever the body says; null: the body's own. chat.md §8. */
function textOfStatus(status: number, named: unknown): string | null {
  const t = currentText(text)
  if (status === 401) return t.notLoggedIn
  if (status === 403) return t.forbidden
  return status === 400 || status < 300 || !UNSPECIFIC.test(String(named)) ? null : t.network
}

function refusal(status: number, answer: unknown): CallFailure {
  if (!isObject(answer) && !OF_PROXIES.includes(status)) return networkFailure()
  const body = plain(answer)
  const data = plain(body.data)
  const named = body.error ?? data.error
  const name = typeof named === 'string' ? named : (BY_STATUS[status] ?? 'internal')
  // Other servers of the specification put the fields into `data` itself.
  const fields: Record<string, string> = {
    ...(named === undefined && strings(data)),
    ...strings(body.errors),
    ...strings(data.errors),
    ...strings(body.message),
  }
  const extra = [data.extra, body.extra].find(isObject) ?? {}
  const content = typeof body.message === 'string' ? body.message : Object.values(fields)[0]
  for (const key in fields) fields[key] = fill(fields[key]!, extra)
  const failure = new CallFailure(
    name,
    textOfStatus(status, named) ?? fill(content || currentText(text).error, extra),
    { code: typeof body.code === 'number' ? body.code : status, fields, extra },
  )
  // A captcha is asked for without words. chat.md §8 "Response code 1002".
  if ((body.showMsg || data.showMsg) && failure.code !== CAPTCHA_NEEDED) showMessage(failure.message)
  return failure
}

/** Messages with {placeholders} are filled from `extra`. chat.md §8. */
const fill = (content: string, extra: Plain): string =>
  content.replace(/\{(\w+)\}/g, (whole, key: string) => (key in extra ? String(extra[key]) : whole))
