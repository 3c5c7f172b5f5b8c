import { updateRecommended } from '@guildhall/wire/profile/profile.ts'
import { listStaffLog } from '@guildhall/wire/staff/log.ts'
import { decideReview, type GuildReview, listReviews, viewReview } from '@guildhall/wire/staff/reviews.ts'
import { promisedBy } from '@guildhall/wire/staff/workingTime.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { refusalOf } from '../../testing/calls.ts'
import { openWorld, type TestWorld } from '../../testing/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const grand = () => world.guilds.find((each) => each.is_recommended)!
/** Hands a change in; the id of its case. */
async function handedIn(name: string): Promise<number> {
  await sql`update guild_recommend set audit_status = 2 where guild_id = ${grand().id}`.execute(
    world.database.db,
  )
  await world.as('owner').call(updateRecommended, { guild_id: grand().id, name, desc: `${name}的描述` })
  return Number((await world.as('staff').call(listReviews, {})).items[0]?.id)
}
const decide = (id: number, pass: boolean, reason = '') =>
  world.as('staff').call(decideReview, { kind: 'guild', id, pass, reason })

it('a rejection needs a reason, and a case that does not exist is not decided', async () => {
  const id = await handedIn('第一次')
  expect(await refusalOf(decide(id, false, ' '))).toBe('bad_input')
  expect(await refusalOf(decide(999_999, true))).toBe('review.unknown')
  expect(await world.as('staff').refusal(viewReview, { kind: 'guild', id: 999_999 })).toBe('review.unknown')
})

it('what waits has the guild as it is and as it would be, and until when it is promised', async () => {
  const { items } = await world.as('staff').call(listReviews, {})
  const [first] = items
  expect(first).toMatchObject({
    kind: 'guild',
    guild_id: grand().id,
    state: 'waiting',
    user_id: world.people.owner.id,
    user_name: world.people.owner.username,
    decided_at: null,
    decided_by: '',
    before: { name: grand().name },
    after: { name: '第一次', desc: '第一次的描述' },
  })
  expect(first?.promised_by).toBe(promisedBy(first!.created_at))
  expect(await world.as('staff').call(viewReview, { kind: 'guild', id: Number(first?.id) })).toEqual(first)
})

it('of two who decide at once one is told that it is decided, and the log has one act', async () => {
  const id = Number((await world.as('staff').call(listReviews, {})).items[0]?.id)
  const both = await Promise.all([refusalOf(decide(id, true)), refusalOf(decide(id, false, '不合适'))])
  expect(both.sort()).toEqual(['none', 'review.decided'])
  const { items } = await world.as('staff').call(listStaffLog, { kind: 'act', name: 'review decide' })
  expect(items).toHaveLength(1)
  expect(items[0]).toMatchObject({
    target: grand().id,
    detail: { before: { name: grand().name }, after: { name: '第一次' } },
  })
})

it('decided ones are listed with who, when, why and how the guild looked until then', async () => {
  const id = await handedIn('第二次')
  const [first] = (await world.as('staff').call(listReviews, {})).items as readonly GuildReview[]
  const before = first?.before
  await decide(id, false, '图片不清晰')
  const { items } = await world.as('staff').call(listReviews, { state: 'decided' })
  expect(items[0]).toMatchObject({
    id: String(id),
    state: 'rejected',
    reason: '图片不清晰',
    before,
    after: { name: '第二次' },
    decided_by: world.people.staff.id,
    decided_by_name: world.people.staff.username,
  })
  expect(items[0]?.decided_at).toBeGreaterThan(0)
  expect((await world.as('staff').call(listReviews, { state: 'decided', before: id })).items).toHaveLength(1)
})

it('the members of a guild are told of it as it is after a decision, whatever was decided', async () => {
  const heard: string[] = []
  const stop = world.app.appContext.bus.subscribe((event) => {
    if (event.to === 'guild' && event.guildId === grand().id) heard.push(event.kind)
  })
  for (const pass of [false, true]) {
    const id = await handedIn(`听说${pass}`)
    await world.app.appContext.bus.settled()
    heard.length = 0
    await decide(id, pass, '看过了')
    await world.app.appContext.bus.settled()
    expect(heard).toEqual(['updated_guild'])
  }
  stop()
})

it('an operator’s decision is in the log too', async () => {
  const id = await handedIn('第三次')
  await world.command('review', 'decide', '--id', String(id), '--pass')
  const { items } = await world.as('staff').call(listStaffLog, { actor: 'operator', name: 'review decide' })
  expect(items[0]).toMatchObject({ target: grand().id, detail: { outcome: 'passed' } })
})
