import {
  type CaptchaKind,
  CHALLENGE_LIVES_MS,
  captchaKindOf,
  PASS_LIVES_MS,
} from '@guildhall/wire/captcha/captcha.ts'
import { Failure } from '@guildhall/wire/failure.ts'
import { DAY_MS, MINUTE_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Auth, openAuth, setPassword } from '../auth/auth.ts'
import type { SmsRules } from '../auth/limit.ts'
import { replaceClock } from '../kit/clock.ts'
import { transaction } from '../kit/database/db.ts'
import { emptyPresence } from '../kit/events/presence.ts'
import { Limits, memoryRateLimiter } from '../kit/limits/rateLimit.ts'
import type { SecurityEvent } from '../kit/securityLog.ts'
import { openDevSms } from '../outside/sms/devSms.ts'
import { newNetwork, newNumber, refusalOf } from '../testing/calls.ts'
import { openTestDatabase, type TestDatabase } from '../testing/database/database.ts'
import { testKeys } from '../testing/keys.ts'
import { register } from '../user/user.ts'
import { type Actor, type Captcha, openCaptcha } from './captcha.ts'
import { MADE_PER_NETWORK, SOLVED_PER_NETWORK, WRONG_PER_NETWORK, WRONG_PER_WIDE_NETWORK } from './limit.ts'

let database: TestDatabase
/** Two nodes on one database. */
let captcha: Captcha
let otherNode: Captcha
let auth: Auth
let now: number
let restore: () => void
const sms = openDevSms()
const security: SecurityEvent[] = []
const log = { record: (event: SecurityEvent) => void security.push(event) }
const counted: string[] = []

beforeAll(async () => {
  database = await openTestDatabase()
  const { db } = database
  const deps = { db, mode: 'auto' as const }
  captcha = await openCaptcha({
    ...deps,
    limits: new Limits(memoryRateLimiter()),
    security: log,
    metrics: { counted: (kind, outcome) => void counted.push(`${kind} ${outcome}`) },
  })
  otherNode = await openCaptcha(deps)
  auth = await openAuthWith(captcha)
})
afterAll(() => database?.close())
beforeEach(() => {
  now = Date.now()
  restore = replaceClock(() => now)
})
afterEach(() => restore())

const openAuthWith = (guard: Captcha, smsRules: SmsRules = { prefixes: ['86', '44'], dailyMax: null }) =>
  openAuth({
    keys: testKeys,
    db: database.db,
    presence: emptyPresence,
    publicUrl: '',
    sms,
    captcha: guard,
    security: log,
    smsRules,
    onRevoked: () => undefined,
    onRegistered: async () => undefined,
  })

const newActor = (network = newNetwork()): Actor => ({
  number: { prefix: '86', mobile: newNumber() },
  network,
})
const from = ({ network }: Actor) => ({ network, origin: '' })

async function refusal(work: Promise<unknown>): Promise<Failure> {
  const error = await work.then(
    () => new Error('it was not refused'),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof Failure)) throw error
  return error
}

/** A challenge and what solves it. */
async function challenged(actor: Actor, kind: CaptchaKind = 'image') {
  const { id } = await captcha.make(kind, actor.network)
  return { id, solution: captcha.solutionOf(id)!.text }
}
async function passFor(actor: Actor, kind: CaptchaKind = 'image'): Promise<string> {
  const { id, solution } = await challenged(actor, kind)
  return captcha.check(id, solution, actor)
}
const askForCode = (actor: Actor, sign?: string) =>
  auth.requestCode(actor.number, 'login', actor.network, sign)
const tryPassword = (actor: Actor, password: string, sign?: string) =>
  auth.loginByPassword({ ...actor.number, password, remember: true, sign }, from(actor))
/** Codes are asked for until a captcha is. */
async function untilAsked(actor: Actor): Promise<void> {
  for (let n = 0; n < 3; n += 1) {
    await askForCode(actor)
    now += MINUTE_MS
  }
  expect(await refusalOf(askForCode(actor))).toBe('captcha.needed')
}
const usedRows = async () =>
  (await sql<{ n: number }>`select count(*)::int as n from captcha_used`.execute(database.db)).rows[0]!.n

describe('an answer', () => {
  it('that is wrong is refused, and ends the challenge', async () => {
    const actor = newActor()
    for (const kind of ['image', 'idiom', 'slider', 'work'] as const) {
      const { id, solution } = await challenged(actor, kind)
      expect(await refusalOf(captcha.check(id, '1', actor))).toBe('captcha.wrong')
      expect(await refusalOf(captcha.check(id, solution, actor))).toBe('captcha.expired')
    }
  })

  it('cannot be given twice, nor at once, nor on two nodes', async () => {
    const actor = newActor()
    const { id, solution } = await challenged(actor)
    const answers = await Promise.allSettled(
      [captcha, otherNode, captcha, otherNode].map((node) => node.check(id, solution, actor)),
    )
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await refusalOf(otherNode.check(id, solution, actor))).toBe('captcha.expired')
  })

  it('from another network than the challenge is refused, and leaves the challenge as it was', async () => {
    const actor = newActor()
    const { id, solution } = await challenged(actor)
    expect(await refusalOf(captcha.check(id, solution, { ...actor, network: newNetwork() }))).toBe(
      'captcha.expired',
    )
    expect(await captcha.check(id, solution, actor)).toMatch(/^[\w-]+$/)
  })

  it('that comes too late is refused', async () => {
    const actor = newActor()
    const { id, solution } = await challenged(actor)
    now += CHALLENGE_LIVES_MS
    expect(await refusalOf(captcha.check(id, solution, actor))).toBe('captcha.expired')
    expect(captcha.solutionOf(id)).toBeNull()
  })

  it('to a forged, changed or shortened challenge is refused, and so is a pass in its place', async () => {
    const actor = newActor()
    const { id, solution } = await challenged(actor)
    const middle = id.length >> 1
    const changed = `${id.slice(0, middle)}${id[middle] === 'A' ? 'B' : 'A'}${id.slice(middle + 1)}`
    const pass = await passFor(actor)
    for (const forged of ['', 'x', id.slice(0, -4), id.slice(0, 20), changed, `${id} `, `${id}=`, pass, '{}'])
      expect(await refusalOf(captcha.check(forged, solution, actor))).toBe('captcha.expired')
  })

  it.each([
    ['image', (solution: string) => ` ${solution.toLowerCase()} `],
    ['slider', (solution: string) => String(Number(solution) + 3.5)],
    ['work', (solution: string) => solution],
    ['idiom', (solution: string) => ` ${solution} `],
  ] as const)('to the kind %s is right as people write it', async (kind, written) => {
    const actor = newActor()
    const { id, solution } = await challenged(actor, kind)
    expect(await captcha.check(id, written(solution), actor)).toMatch(/^[\w-]+$/)
  })

  it('to a slider is wrong when the piece lies beside its hole, or when it is no number', async () => {
    const actor = newActor()
    for (const answer of [(x: number) => String(x + 5), (x: number) => `${x}px`, () => 'NaN', () => '']) {
      const { id, solution } = await challenged(actor, 'slider')
      expect(await refusalOf(captcha.check(id, answer(Number(solution)), actor))).toBe('captcha.wrong')
    }
  })

  it('is refused once a network was wrong too often, also when it is right', async () => {
    const actor = newActor()
    for (let n = 0; n < WRONG_PER_NETWORK.most; n += 1) {
      if (n % MADE_PER_NETWORK.most === 0) now += MINUTE_MS
      const { id } = await challenged(actor, 'work')
      expect(await refusalOf(captcha.check(id, '0', actor))).toBe('captcha.wrong')
    }
    const { id, solution } = await challenged(actor, 'work')
    expect(await refusalOf(captcha.check(id, solution, actor))).toBe('captcha.too_many')
    now += WRONG_PER_NETWORK.windowMs
    expect(await passFor(actor, 'work')).toMatch(/^[\w-]+$/)
  })
})

describe('once a password or a code of a number was wrong on a network', () => {
  const PICTURES = ['slider', 'idiom'] as const

  /** A challenge and what solves it and its work. */
  async function worked(actor: Actor, kind: CaptchaKind) {
    const { id, work } = await captcha.make(kind, actor.network)
    const { text, counter } = captcha.solutionOf(id)!
    return { id, solution: text, counter: counter!, work }
  }

  it.each(PICTURES)('the right answer to the kind %s is wrong without its proof of work', async (kind) => {
    const actor = newActor()
    await refusalOf(tryPassword(actor, 'wrong'))
    // Of another challenge it may be right by chance: the next number is what is surely wrong.
    const next = (counter: string) => String(Number(counter) + 1)
    for (const given of [() => undefined, () => '', () => '0', next]) {
      const { id, solution, counter } = await worked(actor, kind)
      expect(await refusalOf(captcha.check(id, solution, actor, given(counter)))).toBe('captcha.wrong')
    }
  })

  it.each(PICTURES)('a proof of work does not make a wrong answer to the kind %s right', async (kind) => {
    const actor = newActor()
    const { id, counter } = await worked(actor, kind)
    expect(await refusalOf(captcha.check(id, counter, actor, counter))).toBe('captcha.wrong')
  })

  it.each(PICTURES)('the right answer to the kind %s counts with it, and before without', async (kind) => {
    const actor = newActor()
    await passFor(actor, kind)
    await refusalOf(tryPassword(actor, 'wrong'))
    const { id, solution, counter, work } = await worked(actor, kind)
    expect(work).toMatchObject({ algorithm: 'PBKDF2/SHA-256' })
    expect(await captcha.check(id, solution, actor, counter)).toMatch(/^[\w-]+$/)
    await passFor({ ...actor, network: newNetwork() }, kind)
  })

  it('numbers that are each tried once there need it too, when they are many', async () => {
    const network = newNetwork()
    for (let n = 0; n < 20; n += 1) await captcha.noteWrong(newActor(network))
    const stranger = newActor(network)
    const { id, solution } = await worked(stranger, 'slider')
    expect(await refusalOf(captcha.check(id, solution, stranger))).toBe('captcha.wrong')
  })

  it('it is needed no more once the password was right', async () => {
    const actor = newActor()
    await captcha.noteWrong(actor)
    await captcha.noteRight(actor)
    await passFor(actor, 'slider')
  })
})

describe('guesses', () => {
  it('of one network at once are no more than those one after the other', async () => {
    const actor = newActor()
    const ids = await Promise.all(
      Array.from({ length: WRONG_PER_NETWORK.most + 10 }, async () => (await challenged(actor, 'work')).id),
    )
    const answers = await Promise.all(ids.map((id) => refusalOf(captcha.check(id, '0', actor))))
    expect(answers.filter((name) => name === 'captcha.wrong')).toHaveLength(WRONG_PER_NETWORK.most)
    expect(answers.filter((name) => name === 'captcha.too_many')).toHaveLength(10)
  })

  it('of one IPv6 network are bounded, however many of its addresses make them', async () => {
    const at = (n: number) => newActor(`2001:db8:9:${n.toString(16)}::/64`)
    const answers: string[] = []
    for (let n = 0; n < WRONG_PER_WIDE_NETWORK.most + 5; n += 1) {
      const actor = at(n >> 2)
      answers.push(await refusalOf(captcha.check((await challenged(actor, 'work')).id, '0', actor)))
    }
    expect(answers.filter((name) => name === 'captcha.wrong')).toHaveLength(WRONG_PER_WIDE_NETWORK.most)
  })
})

describe('challenges', () => {
  it('leave nothing in the database until they are answered, and then a row that is deleted when it is old', async () => {
    const actor = newActor()
    const before = await usedRows()
    for (let n = 0; n < 5; n += 1) await captcha.make('slider', actor.network)
    expect(await usedRows()).toBe(before)
    await passFor(actor)
    expect(await usedRows()).toBe(before + 1)
    // Other tests were in the future.
    now += 60 * MINUTE_MS
    await captcha.forgetOld()
    expect(await usedRows()).toBe(0)
  })

  it('do not show their solution', async () => {
    const { id, ...shown } = await captcha.make('idiom', newNetwork())
    const solution = captcha.solutionOf(id)!.text
    expect(JSON.stringify(shown)).not.toContain(solution)
    expect(Buffer.from(id, 'base64url').toString('utf8')).not.toContain(solution)
    expect(Buffer.from(shown.imgData, 'base64').subarray(1, 4).toString()).toBe('PNG')
  })

  it('are refused when one network has too many made', async () => {
    const network = newNetwork()
    for (let n = 0; n < MADE_PER_NETWORK.most; n += 1) await captcha.make('work', network)
    expect(await refusalOf(captcha.make('work', network))).toBe('captcha.too_many')
  })

  it('by proof of work take longer the more of them one network has solved', async () => {
    const actor = newActor()
    const counterOf = async () => Number((await challenged(actor, 'work')).solution)
    expect(await counterOf()).toBeLessThan(800)
    for (let n = 0; n < 40; n += 1) await passFor(actor, 'work')
    expect(await counterOf()).toBeGreaterThanOrEqual(3_200)
    expect(SOLVED_PER_NETWORK.most).toBeGreaterThan(40)
  })
})

describe('a pass', () => {
  it('lets one call go on, and not a second one', async () => {
    const actor = newActor()
    await untilAsked(actor)
    const pass = await passFor(actor)
    await askForCode(actor, pass)
    now += MINUTE_MS
    expect(await refusalOf(askForCode(actor, pass))).toBe('captcha.needed')
  })

  it('cannot be used on two nodes at once', async () => {
    const actor = newActor()
    await untilAsked(actor)
    const pass = await passFor(actor)
    const uses = await Promise.allSettled(
      [captcha, otherNode, captcha].map((node) => node.require('code', actor, { pass })),
    )
    expect(uses.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('is for its number alone, and for its network alone', async () => {
    const [mine, theirs] = [newActor(), newActor()]
    await untilAsked(theirs)
    for (const stranger of [mine, { ...mine, network: theirs.network }, { ...theirs, network: mine.network }])
      expect(await refusalOf(askForCode(theirs, await passFor(stranger)))).toBe('captcha.needed')
    await askForCode(theirs, await passFor(theirs))
  })

  it('ends', async () => {
    const actor = newActor()
    await untilAsked(actor)
    const pass = await passFor(actor)
    now += PASS_LIVES_MS
    for (let n = 0; n < 3; n += 1) await captcha.require('code', actor).catch(() => undefined)
    expect(await refusalOf(captcha.require('code', actor, { pass }))).toBe('captcha.needed')
  })

  it('cannot be forged, and a solved challenge is none', async () => {
    const actor = newActor()
    await untilAsked(actor)
    const { id, solution } = await challenged(actor)
    await captcha.check(id, solution, actor)
    for (const forged of ['400', '600', 'true', id, 'A'.repeat(4096)])
      expect(await refusalOf(askForCode(actor, forged))).toBe('captcha.needed')
  })

  it('is for a number however it is written', async () => {
    const actor = { number: { prefix: '44', mobile: '7700900123' }, network: newNetwork() }
    const written = { number: { prefix: '+44', mobile: '07700 900123' }, network: actor.network }
    for (let n = 0; n < 3; n += 1) await captcha.require('code', actor)
    await captcha.require('code', actor, { pass: await passFor(written) })
  })
})

describe('a code to one’s own number', () => {
  it('takes a pass that was solved without the number, once, and no code of another number does', async () => {
    const strict = await openCaptcha({ db: database.db, mode: 'always' })
    const it = await openAuthWith(strict)
    const actor = newActor()
    const asked = { prefix: '86', mobile: '' }
    const userId = await transaction(database.db, async (tx) => {
      const makeName = () => '某人'
      return (await register(tx, { ...actor.number, verified: true, makeName })).user.id
    })
    const own = (sign: string | undefined, network = actor.network) =>
      it.requestOwnCode({ userId }, { asked, network, sign })
    expect((await refusal(own(undefined))).failure).toBe('captcha.needed')
    const pass = await passFor({ number: asked, network: actor.network })
    expect((await refusal(own(pass, newNetwork()))).failure).toBe('captcha.needed')
    const other = newActor(actor.network)
    const ofOther = it.requestCode(other.number, 'login', actor.network, pass)
    expect((await refusal(ofOther)).failure).toBe('captcha.needed')
    await own(pass)
    expect((await refusal(own(pass))).failure).toBe('captcha.needed')
  })
})

describe('a captcha is asked for', () => {
  const signOf = async (work: Promise<unknown>) => {
    const { failure, detail } = await refusal(work)
    return failure === 'captcha.needed' ? captchaKindOf(detail.sign) : failure
  }

  it('after three wrong passwords of a number on one network, and a harder one after six; not elsewhere', async () => {
    const actor = newActor()
    for (let n = 0; n < 3; n += 1)
      expect(await signOf(tryPassword(actor, 'wrong'))).toBe('auth.password_wrong')
    expect(await signOf(tryPassword(actor, 'wrong'))).toBe('slider')
    for (let n = 0; n < 3; n += 1)
      expect(await signOf(tryPassword(actor, 'wrong', await passFor(actor)))).toBe('auth.password_wrong')
    expect(await signOf(tryPassword(actor, 'wrong'))).toBe('idiom')
    expect(await signOf(tryPassword({ ...actor, network: newNetwork() }, 'wrong'))).toBe(
      'auth.password_wrong',
    )
  })

  it('no more on that network once the password was right', async () => {
    const actor = newActor()
    await askForCode(actor)
    const code = sms.read(actor.number.mobile)[0]!.code
    const { user } = await auth.loginByCode({ ...actor.number, code, remember: true }, from(actor))
    await setPassword(database.db, user.id, 'rightword1')
    for (let n = 0; n < 3; n += 1) await refusalOf(tryPassword(actor, 'wrong'))
    expect(await signOf(tryPassword(actor, 'rightword1'))).toBe('slider')
    await tryPassword(actor, 'rightword1', await passFor(actor))
    expect(await signOf(tryPassword(actor, 'wrong'))).toBe('auth.password_wrong')
  })

  it('alike for a number with an account and for one without', async () => {
    const [known, unknown] = [newActor(), newActor()]
    await askForCode(known)
    const code = sms.read(known.number.mobile)[0]!.code
    await auth.loginByCode({ ...known.number, code, remember: true }, from(known))
    const answers = async (actor: Actor) => {
      const network = newNetwork()
      const all: string[] = []
      for (let n = 0; n < 8; n += 1) all.push(await signOf(tryPassword({ ...actor, network }, 'wrong')))
      return all
    }
    expect(await answers(known)).toEqual(await answers(unknown))
  })

  it('after wrong codes', async () => {
    const actor = newActor()
    await askForCode(actor)
    const enter = () => auth.loginByCode({ ...actor.number, code: '12', remember: true }, from(actor))
    for (let n = 0; n < 3; n += 1) expect(await signOf(enter())).toBe('auth.code_wrong')
    expect(await signOf(enter())).toBe('slider')
  })

  it('for one number that is guessed from many networks', async () => {
    const { number } = newActor()
    for (let n = 0; n < 20; n += 1)
      expect(await signOf(tryPassword({ number, network: newNetwork() }, 'wrong'))).toBe(
        'auth.password_wrong',
      )
    expect(await signOf(tryPassword({ number, network: newNetwork() }, 'wrong'))).toBe('slider')
  })

  it('for many numbers from one network, and for many from one IPv6 network', async () => {
    const network = newNetwork()
    for (let n = 0; n < 8; n += 1) await askForCode(newActor(network))
    expect(await signOf(askForCode(newActor(network)))).toBe('image')
    const net = (n: number) => `2001:db8:7:${n.toString(16)}::/64`
    for (let n = 0; n < 30; n += 1) await askForCode(newActor(net(n)))
    expect(await signOf(askForCode(newActor(net(99))))).toBe('image')
  })

  it('for no more numbers once they were refused: a refusal leaves no row', async () => {
    const network = newNetwork()
    for (let n = 0; n < 8; n += 1) await askForCode(newActor(network))
    const rowsOf = async () =>
      (await sql<{ n: number }>`select count(*)::int as n from attempt`.execute(database.db)).rows[0]!.n
    const before = await rowsOf()
    for (let n = 0; n < 5; n += 1) await refusalOf(askForCode(newActor(network)))
    expect(await rowsOf()).toBe(before)
  })

  it('for codes of one number that are asked for fast, from wherever', async () => {
    await untilAsked(newActor())
    const { number } = newActor()
    for (let n = 0; n < 5; n += 1) {
      await askForCode({ number, network: newNetwork() })
      now += MINUTE_MS
    }
    expect(await signOf(askForCode({ number, network: newNetwork() }))).toBe('image')
  })

  it('for every number that is not logged in there once half of the day’s messages are gone', async () => {
    now += 40 * DAY_MS
    const scarce = await openAuthWith(captcha, { prefixes: ['86'], dailyMax: 6, reservedShare: 40 })
    const ask = (input: Actor, sign?: string) =>
      scarce.requestCode(input.number, 'login', input.network, sign)
    for (let n = 0; n < 3; n += 1) await ask(newActor())
    const [stranger, another] = [newActor(), newActor()]
    expect(await signOf(ask(stranger))).toBe('image')
    await ask(stranger, await passFor(stranger))
    expect(await refusalOf(ask(another, await passFor(another)))).toBe('auth.sms_failed')
  })

  it('always, or never, when that is configured', async () => {
    const open = (mode: 'always' | 'never') => openCaptcha({ db: database.db, mode })
    const [always, never] = [await open('always'), await open('never')]
    expect(await signOf(always.require('code', newActor()))).toBe('image')
    expect(await signOf(always.require('login', newActor()))).toBe('slider')
    const actor = newActor()
    await untilAsked(actor)
    await never.require('code', actor)
  })
})

it('what is asked for, solved and wrong is counted and recorded, without numbers or answers', async () => {
  security.length = 0
  counted.length = 0
  const actor = newActor()
  await untilAsked(actor)
  const { id, solution } = await challenged(actor, 'idiom')
  await captcha.check(id, solution, actor)
  await refusal(captcha.check((await challenged(actor)).id, 'nope', actor))
  expect(counted).toEqual(['image asked', 'idiom solved', 'image wrong'])
  const asked = { kind: 'code', network: actor.network, userId: null, failure: 'captcha.needed' }
  expect(security.slice(3)).toEqual([
    asked,
    { kind: 'captcha', network: actor.network, target: 'idiom' },
    { kind: 'captcha', network: actor.network, target: 'image', failure: 'captcha.wrong' },
  ])
})

it('numbers pumped from many networks, each new to its network, end in a captcha for everybody on every node', async () => {
  // Later than all others, whose codes count too.
  now += 3 * 60 * MINUTE_MS
  const pump = (n: number) =>
    (n % 2 ? otherNode : captcha).require('code', newActor(`198.18.${n >> 8}.${n & 255}`))
  for (let n = 0; n < 600; n += 1) await pump(n)
  for (let n = 600; n < 604; n += 1) expect(await refusalOf(pump(n))).toBe('captcha.needed')
  const person = newActor()
  await otherNode.require('code', person, { pass: await passFor(person) })
  now += 10 * MINUTE_MS + 1
  await pump(604)
  await sql`delete from attempt`.execute(database.db)
})
