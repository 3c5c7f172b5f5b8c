/** Where people have accounts that log them in here: the port, and how its adapters ask. Decision 53. */
import type { ThirdPartyName } from '@guildhall/wire/auth/thirdParty.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { objectOf } from '../answer.ts'

/** An account at a provider. */
export interface Identity {
  /** The account, as this application sees it. */
  readonly openid: string
  /** The account, as all applications of the same operator see it; null where the provider does not tell. */
  readonly unionid: string | null
}

/** What an account shows of itself; both may be empty. */
export interface Profile {
  readonly nickname: string
  /** The address of its picture. */
  readonly avatar: string
}

/** Where a login is made. `inside`: in the provider's own browser; `phone`: in another one on a phone. */
export type Surface = 'inside' | 'phone' | 'desk'

/** A login that comes back from the provider. */
export interface Returned {
  readonly code: string
  /** As it was when the login began. */
  readonly surface: Surface
  readonly redirectUri: string
}

export interface ThirdParty {
  readonly name: ThirdPartyName
  /** The surface of a browser, by its User-Agent. */
  surfaceOf(userAgent: string): Surface
  /** The provider's page, on which the person agrees. */
  authorizeUrl(input: {
    readonly surface: Surface
    readonly state: string
    readonly redirectUri: string
  }): string
  /**
   * Whose code it is. `profile` asks further.
   * @throws ThirdPartyRefused, ThirdPartyFailed
   */
  identify(
    input: Returned,
    signal: AbortSignal,
  ): Promise<Identity & { readonly profile: () => Promise<Profile> }>
}

/** Asks a provider: `fetch`, or a local provider of the same form. */
export type Ask = (
  url: string,
  init: { readonly signal: AbortSignal; readonly redirect: 'error' },
) => Promise<Response>

/** The provider does not accept the code: it was used, is too old, or was made up. */
export class ThirdPartyRefused extends Error {
  override name = 'ThirdPartyRefused'
  constructor(provider: string, code: string) {
    super(`${provider} does not accept the code: ${named(code)}`)
  }
}

/** The provider does not answer, not usefully, or refuses this application; the message has no secret. */
export class ThirdPartyFailed extends Error {
  override name = 'ThirdPartyFailed'
  /** The provider's own code of it; empty without one. */
  readonly code: string
  constructor(provider: string, why: string, code = '') {
    super(`${provider} ${why}`)
    this.code = code
  }
}

/** A provider answered with an error of its own. */
export const answered = (provider: string, code: unknown): ThirdPartyFailed =>
  new ThirdPartyFailed(provider, `answers ${named(code)}`, String(code))

/** How long a provider may take for one login: the page gives its call up after five seconds. */
export const PROVIDER_TIMEOUT_MS = 4 * SECOND_MS
/** The longest answer that is read, bytes. */
const ANSWER_MAX = 64 * 1024

/** A provider's code as a log may hold it. */
export const named = (code: unknown): string =>
  /^-?[\w.]{1,40}$/.test(String(code)) ? String(code) : 'no code'

/**
 * The JSON object that a provider answers with, in whichever envelope.
 * @throws ThirdPartyFailed
 */
export async function askProvider(
  provider: string,
  ask: Ask,
  url: URL,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>>> {
  let text: string
  let status: number
  try {
    const answer = await ask(url.href, { signal, redirect: 'error' })
    status = answer.status
    text = await boundedText(answer)
  } catch (cause) {
    // The cause of the platform's fetch may name the address, which holds secrets.
    throw new ThirdPartyFailed(provider, signal.aborted ? 'does not answer in time' : whyOf(cause))
  }
  if (status !== 200) throw new ThirdPartyFailed(provider, `answers with status ${status}`)
  const body = enveloped(text)
  if (!body) throw new ThirdPartyFailed(provider, 'answers with something else than JSON')
  return body
}

class TooLong extends Error {}

const whyOf = (cause: unknown): string =>
  cause instanceof TooLong ? 'answers with too much' : 'cannot be reached'

async function boundedText(answer: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of answer.body ?? []) {
    bytes += part.length
    if (bytes > ANSWER_MAX) throw new TooLong()
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

/** JSON, JSON within `callback( … );`, or a form: QQ answers in each, whichever it was asked for. */
function enveloped(text: string): Readonly<Record<string, unknown>> | null {
  const bare = text.trim()
  if (!FORM.test(bare)) return objectOf(/^callback\s*\((.*)\)\s*;?$/s.exec(bare)?.[1] ?? bare)
  const pairs = [...new URLSearchParams(bare)]
  const fields = Object.fromEntries(pairs)
  // A name that is there twice may mean either value.
  return Object.keys(fields).length === pairs.length ? fields : null
}
const FORM = /^\w+=[^&\s]*(?:&\w+=[^&\s]*)*$/

/** Whether a provider's code says that nothing is wrong: zero, also in text, or none at all. */
export const isFine = (code: unknown): boolean => [undefined, null, '', 0, '0'].some((fine) => fine === code)

/** A text of an answer; null for anything else, for none, and for one that is longer than `max`. */
export const textIn = (value: unknown, max: number): string | null =>
  typeof value === 'string' && value !== '' && value.length <= max ? value : null

/**
 * An id of an account; null for what no provider would send. Real ones have 28 letters and more: a word such
 * as `null`, or zeros, in the place of one would be the id of several people.
 */
export const idIn = (value: unknown): string | null => {
  const id = textIn(value, 128)
  return id !== null && /^(?!0+$)[\w-]{16,}$/.test(id) ? id : null
}

/** An address with these parameters. */
export function withParams(address: string, params: Readonly<Record<string, string>>): URL {
  const url = new URL(address)
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value)
  return url
}
