import type { UserId } from '@guildhall/wire/id.ts'
import { createMessage } from '@guildhall/wire/message/message.ts'
import { updateRecommended } from '@guildhall/wire/profile/profile.ts'
import { createReport } from '@guildhall/wire/report/report.ts'
import { decideReport, listReports } from '@guildhall/wire/staff/reports.ts'
import type { StaffRole } from '@guildhall/wire/staff/roles.ts'
import { staffWaiting, WAITING_COUNT_MAX } from '@guildhall/wire/staff/waiting.ts'
import { addWord, WORD_TARGETS } from '@guildhall/wire/staff/words.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { refusalOf } from '../testing/calls.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld()
  await world.tokenOf('staff')
})
afterAll(() => world.close())

const counts = () => world.as('staff').call(staffWaiting)
const write = (content: string) =>
  world.as('owner').call(createMessage, { target_id: world.main.id, content, type: 9, nonce: content })
const become = (role: StaffRole) =>
  world.command('staff', 'role', '--user', world.people.staff.id, '--role', role)

it('what waits is counted for those alone who may decide it', async () => {
  await become('finance')
  expect(await counts()).toEqual({ reviews: null, reports: null, orders: 0, approvals: 0 })
  await become('reviewer')
  expect(await counts()).toEqual({ reviews: 0, reports: 0, orders: null, approvals: null })
  await become('administrator')
})

it('changes of guilds and held messages are counted together, and cases of reports until they are decided', async () => {
  const grand = world.guilds.find((each) => each.is_recommended)!
  await world.as('owner').call(updateRecommended, { guild_id: grand.id, name: '像素新坊' })
  await world.as('staff').call(addWord, {
    word: '红包',
    action: 'hold',
    places: [...WORD_TARGETS],
    note: '',
    reason: '测试',
  })
  expect(await refusalOf(write('领红包'))).toBe('content.held')
  const { msg_id } = await write('今晚八点')
  await world.as('member').call(createReport, { kind: 'message', id: msg_id, category: 'spam', words: '' })
  expect(await counts()).toEqual({ reviews: 2, reports: 1, orders: 0, approvals: 0 })
  const [open] = (await world.as('staff').call(listReports)).items
  await world.as('staff').call(decideReport, {
    id: Number(open?.id),
    outcome: 'dismissed',
    reason: '没有问题',
  })
  expect(await counts()).toMatchObject({ reviews: 2, reports: 0 })
})

it('orders that somebody must look at are counted, and no more than the most', async () => {
  const buyer = world.people.member.id as UserId
  await sql`
    insert into "order" (code, user_id, key, request, receiver_id, state, pay_fee, created_at, expires_at)
    select md5(n::text), ${buyer}, 'stuck' || n, '', ${buyer}, 'stuck', 1, n, n from generate_series(1, ${WAITING_COUNT_MAX + 5}) as n`.execute(
    world.database.db,
  )
  expect((await counts()).orders).toBe(WAITING_COUNT_MAX)
})
