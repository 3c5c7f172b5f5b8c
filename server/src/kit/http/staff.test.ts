import { fail } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { type Route, route } from '@guildhall/wire/route.ts'
import { z } from '@guildhall/wire/schema.ts'
import type { StaffRight } from '@guildhall/wire/staff/rights.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openLog } from '../log.ts'
import { bind, bindStaff, bindUser } from './binding.ts'
import { type Http, openHttp } from './server.ts'

const decide = route({
  method: 'POST',
  path: '/api/v2/staff/decide',
  dialect: 'v2',
  who: 'staff',
  right: 'review',
  input: z.object({}),
  answer: z.object({ by: z.string() }),
  fails: [],
})
const decideV3 = route({ ...decide, path: '/api/v3/staff/decide', dialect: 'v3' })

const STAFF = '1' as UserId
const PERSON = '2' as UserId
const tokens: Record<string, { userId: UserId; isBot: boolean }> = {
  'token-of-a-staff-account': { userId: STAFF, isBot: false },
  'token-of-another-person': { userId: PERSON, isBot: false },
  'token-of-a-staff-bot-1': { userId: STAFF, isBot: true },
}
let rights: StaffRight[] = []
let http: Http
let calls = 0
const recorded: string[] = []
beforeAll(async () => {
  const run = async ({ caller }: { caller: { userId: string } }) => {
    calls += 1
    return { by: caller.userId }
  }
  http = await openHttp({
    bindings: [bindStaff(decide, run), bindStaff(decideV3, run)],
    endpoints: [],
    screens: {},
    webDir: '/nowhere',
    sessionOf: async (token) => {
      const session = tokens[token]
      return session ? { ...session, sessionId: token, token } : null
    },
    staff: {
      async admit({ userId }, { right }) {
        if (userId !== STAFF || right === 'any' || !rights.includes(right)) throw fail('forbidden')
      },
      async record({ userId }, { path }) {
        recorded.push(`${userId} ${path}`)
      },
    },
    publicUrl: null,
    fallbackUrl: 'http://fallback',
    trustedProxies: [],
    checkAnswers: true,
    log: openLog('quiet'),
  })
})
afterAll(() => http.close())

async function call(authorization: string | null, { path }: Pick<Route, 'path'> = decide) {
  const headers: Record<string, string> = authorization === null ? {} : { authorization }
  const { status, text } = await http.inject({ method: 'POST', url: path, headers })
  const body = JSON.parse(text)
  return { status, error: body.data?.error ?? body.error, by: body.by ?? body.data?.by }
}

describe('a call for staff', () => {
  it('is refused to guests and to tokens that are not valid', async () => {
    for (const authorization of [null, 'a-token-nobody-ever-had'])
      expect(await call(authorization)).toMatchObject({ status: 401, error: 'not_logged_in' })
    expect(await call(null, decideV3)).toMatchObject({ error: 'not_logged_in' })
  })

  it('is refused to people, to staff without its right, and to bots', async () => {
    rights = ['review']
    expect(await call('token-of-another-person')).toMatchObject({ status: 403, error: 'forbidden' })
    expect(await call('Bot token-of-a-staff-bot-1', decideV3)).toMatchObject({ error: 'forbidden' })
    for (const others of [[], ['order', 'report']] as StaffRight[][]) {
      rights = others
      expect(await call('token-of-a-staff-account')).toMatchObject({ status: 403, error: 'forbidden' })
      expect(await call('token-of-a-staff-account', decideV3)).toMatchObject({ error: 'forbidden' })
    }
    expect(calls).toBe(0)
    expect(recorded).toEqual([])
  })

  it('is answered to staff with its right, and no longer once the right is taken away', async () => {
    rights = ['report', 'review']
    expect(await call('token-of-a-staff-account')).toMatchObject({ status: 200, by: STAFF })
    expect(await call('token-of-a-staff-account', decideV3)).toMatchObject({ by: STAFF })
    expect(recorded).toEqual([`${STAFF} ${decide.path}`, `${STAFF} ${decideV3.path}`])
    rights = ['report']
    expect(await call('token-of-a-staff-account')).toMatchObject({ status: 403 })
  })
})

describe('a route for staff', () => {
  it('is bound by bindStaff alone, and names its right', () => {
    const run = async () => ({ by: '' })
    expect(() => bindUser(decide, run)).toThrow('is for staff: bind it with bindStaff')
    expect(() => bind(decide, run)).toThrow('is for staff: bind it with bindStaff')
    expect(() => bindStaff({ ...decide, who: 'user' }, run)).toThrow('is for user: bind it with bindUser')
    const { right: _, ...rightless } = decide
    expect(() => bindStaff(rightless as Route, run)).toThrow('names no right')
  })
})
