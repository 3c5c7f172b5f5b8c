/**
 * Asks for a captcha before a code is sent or a login is tried, where there is a risk, and reports failures
 * to it.
 */
import { secondFails } from '@guildhall/wire/auth/auth.ts'
import type { Mobile } from '@guildhall/wire/auth/mobile.ts'
import { Failure } from '@guildhall/wire/failure.ts'
import type { Actor, Captcha } from '../captcha/captcha.ts'
import { readNumber } from './number.ts'

/** What guards ask of captchas. */
export type CaptchaGuard = Pick<Captcha, 'isOn' | 'require' | 'noteWrong' | 'noteRight'>

/** The first factor was right. */
const RIGHT: ReadonlySet<string> = new Set(secondFails)
const WRONG: ReadonlySet<string> = new Set(['auth.password_wrong', 'auth.account_wrong', 'auth.code_wrong'])

/** Where an attempt comes from, and the value of the captcha that was solved for it. */
interface From {
  readonly network: string
  /** The number as the client wrote it, for which it has the captcha solved; absent: that of the attempt. */
  readonly asked?: Mobile
  readonly sign?: string | undefined
}

export class LoginGuard {
  readonly #captcha: CaptchaGuard | undefined
  readonly #isScarceFor: (number: Mobile, network: string) => Promise<boolean>

  /** Without captchas nothing is asked. `isScarceFor`: a code costs a captcha, whatever else is counted. */
  constructor(
    captcha: CaptchaGuard | undefined,
    isScarceFor: (number: Mobile, network: string) => Promise<boolean>,
  ) {
    this.#captcha = captcha
    this.#isScarceFor = isScarceFor
  }

  /** @throws Failure captcha.needed, and what `send` throws */
  async code<T>(raw: Mobile, from: From, send: () => Promise<T>): Promise<T> {
    if (!this.#captcha) return send()
    const actor = actorOf(raw, from)
    const solvedFor = from.asked && { number: from.asked, network: from.network }
    const isScarce = await this.#isScarceFor(actor.number, from.network)
    await this.#captcha.require('code', actor, { pass: from.sign, solvedFor, isAlways: isScarce })
    return send()
  }

  /** @throws Failure captcha.needed, and what `enter` throws */
  async login<T>(raw: Mobile, from: From, enter: () => Promise<T>): Promise<T> {
    if (!this.#captcha) return enter()
    const actor = actorOf(raw, from)
    await this.#captcha.require('login', actor, { pass: from.sign })
    try {
      const session = await enter()
      await this.#captcha.noteRight(actor)
      return session
    } catch (error) {
      if (error instanceof Failure && WRONG.has(error.failure)) await this.#captcha.noteWrong(actor)
      if (error instanceof Failure && RIGHT.has(error.failure)) await this.#captcha.noteRight(actor)
      throw error
    }
  }
}

/** @throws Failure auth.mobile_required, auth.mobile_wrong */
const actorOf = (raw: Mobile, { network }: From): Actor => ({ number: readNumber(raw), network })
