import { deleteAccount } from '@guildhall/wire/account/account.ts'
import { updateSelf } from '@guildhall/wire/auth/owner.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { REAL_NAME_ACCOUNTS_MAX, viewRealName } from '@guildhall/wire/realname/realname.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { transaction } from '../kit/database/db.ts'
import { Limits, memoryRateLimiter } from '../kit/limits/rateLimit.ts'
import { openLog } from '../kit/log.ts'
import { LOCAL_NAMES, openLocalRealName } from '../outside/realName/local.ts'
import { openTencentRealName } from '../outside/realName/tencent.ts'
import { Refused } from '../testing/calls.ts'
import { insertBuyers } from '../testing/pay/payFlood.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'
import { forgetRealName, type RealNameDeps, realNameOf, verifyRealName } from './realname.ts'

const ACCOUNT = { secretId: 'id', secretKey: 'secret' }
const KEY = Buffer.alloc(32, 7)

let world: TestWorld
let deps: RealNameDeps
let people: UserId[]
let asked: string[]
beforeAll(async () => {
  world = await openWorld()
  people = await insertBuyers(world.database.db, 40)
})
afterAll(() => world?.close())
beforeEach(async () => {
  await sql`truncate real_name`.execute(world.database.db)
  await sql`delete from attempt where name like 'real names%'`.execute(world.database.db)
  asked = []
  const local = openLocalRealName(ACCOUNT)
  deps = {
    db: world.database.db,
    limits: new Limits(memoryRateLimiter(), 1),
    log: openLog('quiet'),
    key: async () => KEY,
    service: openTencentRealName(ACCOUNT, null, (url, init) => {
      asked.push(String(init.body))
      return local(url, init)
    }),
  }
})

/** Numbers of identity cards, each another. */
const numberOf = (n: number): string => {
  const first = `11010519900101${String(n).padStart(3, '0')}`
  const rest = [...first].reduce((sum, digit) => ((sum + Number(digit)) * 2) % 11, 0)
  const check = (12 - rest) % 11
  return first + (check === 10 ? 'X' : check)
}
const verify = (who: number, name: string, number: string, network = `place ${who}`) =>
  verifyRealName(deps, people[who]!, { name, number }, network).then(
    () => 'verified',
    (error: { failure?: string }) => error.failure ?? String(error),
  )

test('a name with a dot is verified, and its dot is that of identity cards', async () => {
  expect(await verify(31, '阿卜杜拉•买买提', numberOf(7))).toBe('verified')
  expect(asked.join()).toContain('阿卜杜拉·买买提')
})

describe('a real name is refused', () => {
  test('when it can be none, and the service is not asked', async () => {
    expect(await verify(0, 'Zhang', numberOf(1))).toBe('realname.name_wrong')
    expect(await verify(0, '张三', '110105199001010011')).toBe('realname.number_wrong')
    expect(asked).toEqual([])
  })

  test('when the service knows better, is out of order, or too slow', async () => {
    expect(await verify(0, LOCAL_NAMES.mismatch, numberOf(1))).toBe('realname.mismatch')
    expect(await verify(0, LOCAL_NAMES.unknown, numberOf(1))).toBe('realname.mismatch')
    expect(await verify(0, LOCAL_NAMES.down, numberOf(1))).toBe('realname.unavailable')
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort())
    expect(await verify(0, LOCAL_NAMES.slow, numberOf(1))).toBe('realname.unavailable')
    timeout.mockRestore()
    expect((await realNameOf(deps, people[0]!)).verified).toBe(false)
  })

  test('by a service whose signature the account’s key did not make', async () => {
    const other = openLocalRealName({ ...ACCOUNT, secretKey: 'another' })
    deps = { ...deps, service: openTencentRealName(ACCOUNT, null, other) }
    expect(await verify(0, '张三', numberOf(1))).toBe('realname.unavailable')
  })

  test('without a service', async () => {
    deps = { ...deps, service: null }
    expect(await verify(0, '张三', numberOf(1))).toBe('realname.off')
    expect((await realNameOf(deps, people[0]!)).offered).toBe(false)
  })

  test('after five questions of a person, until the day is over, whatever was answered', async () => {
    expect(await verify(1, LOCAL_NAMES.down, numberOf(1))).toBe('realname.unavailable')
    for (let n = 0; n < 4; n += 1)
      expect(await verify(1, LOCAL_NAMES.mismatch, numberOf(1))).toBe('realname.mismatch')
    expect(await verify(1, '张三', numberOf(1))).toBe('too_many')
    expect(asked).toHaveLength(5)
  })

  test('after five of sixty questions at once: the others do not reach the service', async () => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => verify(1, LOCAL_NAMES.mismatch, numberOf(1))),
    )
    expect(asked).toHaveLength(5)
    expect(answers.filter((answer) => answer === 'too_many')).toHaveLength(55)
  })

  test('after five answers that nobody can read, and none of them is a verdict', async () => {
    const checks = deps.service
    const busy = async () => new Response('<html>busy</html>')
    deps = { ...deps, service: openTencentRealName(ACCOUNT, null, busy) }
    for (let n = 0; n < 5; n += 1) expect(await verify(32, '张三', numberOf(8))).toBe('realname.unavailable')
    expect((await realNameOf(deps, people[32]!)).verified).toBe(false)
    deps = { ...deps, service: checks }
    expect(await verify(32, '张三', numberOf(8))).toBe('too_many')
    expect(await verify(33, '张三', numberOf(8))).toBe('verified')
  })

  test('after twenty questions of a network', async () => {
    for (let n = 0; n < 20; n += 1)
      expect(await verify(2 + n, LOCAL_NAMES.mismatch, numberOf(1), 'a cafe')).toBe('realname.mismatch')
    expect(await verify(30, '张三', numberOf(1), 'a cafe')).toBe('too_many')
  })
})

describe('a real name', () => {
  test('is verified once, and of two at the same time by one', async () => {
    const both = await Promise.all([verify(0, '张三', numberOf(1)), verify(0, '李四', numberOf(2))])
    expect(both.toSorted()).toEqual(['realname.done', 'verified'])
    expect(await verify(0, '张三', numberOf(1))).toBe('realname.done')
  })

  test('is verified for so many accounts with a card and no more, also at the same time', async () => {
    const number = numberOf(3)
    const all = await Promise.all(Array.from({ length: 8 }, (_, who) => verify(who, '王五', number)))
    expect(all.filter((it) => it === 'verified')).toHaveLength(REAL_NAME_ACCOUNTS_MAX)
    expect(new Set(all)).toEqual(new Set(['verified', 'realname.taken']))
    const first = people[all.indexOf('verified')]!
    await transaction(world.database.db, (tx) => forgetRealName(tx, first))
    expect(await verify(20, '王五', number)).toBe('verified')
  })

  test('is sealed in the database: neither name nor number, nor a hash that can be made without the key', async () => {
    const number = numberOf(4)
    await verify(0, '欧阳娜娜', number)
    const { rows } = await sql<{
      row: string
    }>`select row_to_json(it)::text as row from real_name as it`.execute(world.database.db)
    expect(rows).toHaveLength(1)
    expect(rows[0]!.row).not.toContain('欧阳')
    expect(rows[0]!.row).not.toContain(number)
    expect(await realNameOf(deps, people[0]!)).toMatchObject({
      name: '*娜',
      number: `${'*'.repeat(16)}${number.slice(-2)}`,
    })
    const other = { ...deps, key: async () => Buffer.alloc(32, 8) }
    expect(await realNameOf(other, people[0]!)).toMatchObject({ verified: true, name: '', number: '' })
    await sql`update real_name set user_id = ${people[1]!}`.execute(world.database.db)
    expect(await realNameOf(deps, people[1]!)).toMatchObject({ name: '', number: '' })
  })
})

test('over the wire: it is verified by updating oneself, shown masked, and gone with the account', async () => {
  const call = world.as('outsider').call
  const typed = { cert_name: '赵六', cert_code: numberOf(5) }
  await expect(call(updateSelf, { cert_name: '赵六' })).rejects.toThrow(Refused)
  await call(updateSelf, typed)
  expect(await call(viewRealName, {})).toMatchObject({ verified: true, name: '*六' })
  await call(deleteAccount, { password: world.people.outsider.password })
  const { rows } = await sql`select 1 from real_name`.execute(world.database.db)
  expect(rows).toEqual([])
})
