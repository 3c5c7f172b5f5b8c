import { createMessage } from '@guildhall/wire/message/message.ts'
import { createReport } from '@guildhall/wire/report/report.ts'
import { listStaffLog } from '@guildhall/wire/staff/log.ts'
import { decideReport, listReports, viewReport } from '@guildhall/wire/staff/reports.ts'
import { removeMessage, suspendUser } from '@guildhall/wire/staff/staff.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PersonName } from '../../demo/world.ts'
import { refusalOf } from '../../testing/calls.ts'
import { openWorld, type TestWorld } from '../../testing/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

let count = 0
/** A reported message; the id of its case. */
async function reported(by: readonly PersonName[] = ['member']) {
  count += 1
  const it = { target_id: world.main.id, content: `广告 ${count}`, type: 9, nonce: `n${count}` }
  const { msg_id } = await world.as('owner').call(createMessage, it)
  for (const name of by)
    await world.as(name).call(createReport, { kind: 'message', id: msg_id, category: 'spam', words: '广告' })
  const found = (await world.as('staff').call(listReports, {})).items.find(
    ({ target_id }) => target_id === msg_id,
  )
  return { msgId: msg_id, id: Number(found?.id) }
}
const decide = (id: number, more: object = {}) =>
  world.as('staff').call(decideReport, { id, outcome: 'acted', reason: '已删除', ...more })

describe('a decision on a case is refused', () => {
  it('without a reason, and of a case that is none', async () => {
    const { id } = await reported()
    expect(await refusalOf(decide(id, { reason: '' }))).toBe('bad_input')
    expect(await refusalOf(decide(id, { outcome: 'burnt' }))).toBe('bad_input')
    expect(await refusalOf(decide(999_999))).toBe('report.unknown')
    expect(await world.as('staff').refusal(viewReport, { id: 999_999 })).toBe('report.unknown')
  })

  it('to the second of two who decide at once; one row of the log is written', async () => {
    const { id, msgId } = await reported()
    const both = await Promise.all([refusalOf(decide(id)), refusalOf(decide(id, { outcome: 'dismissed' }))])
    expect(both.sort()).toEqual(['none', 'report.decided'])
    const { items } = await world.as('staff').call(listStaffLog, { kind: 'act', name: 'report decide' })
    expect(items.filter(({ target }) => target === msgId)).toHaveLength(1)
  })
})

it('the oldest open case comes first; a decision closes all reports on the target', async () => {
  const [first, second] = [await reported(['member', 'admin']), await reported()]
  const open = (await world.as('staff').call(listReports, {})).items.map(({ id }) => Number(id))
  expect(open.indexOf(first.id)).toBeLessThan(open.indexOf(second.id))
  await decide(first.id)
  const after = (await world.as('staff').call(listReports, {})).items.map(({ id }) => Number(id))
  expect(after).not.toContain(first.id)
  expect(after).toContain(second.id)
  const closed = (await world.as('staff').call(listReports, { state: 'acted' })).items[0]
  expect(closed).toMatchObject({
    id: String(first.id),
    reports: 2,
    state: 'acted',
    reason: '已删除',
    decided_by: world.people.staff.id,
    decided_by_name: world.people.staff.username,
  })
  const only = await world.as('staff').call(listReports, { kind: 'guild' })
  expect(only.items).toEqual([])
  const rest = await world.as('staff').call(listReports, { after: second.id })
  expect(rest.items.map(({ id }) => Number(id))).not.toContain(second.id)
})

it('closed cases are paged by when they were opened, in whatever order they were decided', async () => {
  const opened = [await reported(), await reported(), await reported()].map(({ id }) => id)
  const [first, second, third] = opened as [number, number, number]
  for (const id of [third, first, second]) await decide(id)
  const closed = async (more: object = {}) =>
    (await world.as('staff').call(listReports, { state: 'acted', ...more })).items.map(({ id }) => Number(id))
  expect((await closed()).filter((id) => opened.includes(id))).toEqual([third, second, first])
  expect((await closed({ before: third })).filter((id) => opened.includes(id))).toEqual([second, first])
})

it('a case shows earlier cases and what staff did about the same person', async () => {
  const old = await reported()
  await world.as('staff').call(removeMessage, { msg_id: old.msgId, reason: '广告' })
  await decide(old.id)
  const { id } = await reported()
  await world.as('staff').call(suspendUser, { user_id: world.people.owner.id, until: 0, reason: '广告' })
  const it = await world.as('staff').call(viewReport, { id })
  expect(it.earlier.map((each) => Number(each.id))).toContain(old.id)
  expect(it.acts.map(({ name }) => name).slice(0, 3)).toEqual([
    'user suspend',
    'report decide',
    'message delete',
  ])
  expect(it.acts[2]).toMatchObject({ detail: { reason: '广告' }, target: old.msgId })
  expect(it.reports[0]).toMatchObject({
    reporter_id: world.people.member.id,
    reporter_name: world.people.member.username,
  })
})
