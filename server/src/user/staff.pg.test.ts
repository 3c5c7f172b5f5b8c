import type { UserId } from '@guildhall/wire/id.ts'
import type { StaffRight } from '@guildhall/wire/staff/rights.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { transaction } from '../kit/database/db.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'
import { setStaffRights, setStaffRole, staffRightsOf } from './user.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld()
  await transaction(world.database.db, (tx) => setStaffRole(tx, world.people.staff.id, ''))
})
afterAll(() => world.close())
const rightsOf = (id: UserId) => staffRightsOf(world.database.db, id)
const give = (id: UserId, rights: readonly StaffRight[]) =>
  transaction(world.database.db, (tx) => setStaffRights(tx, id, rights))

it('an account has no rights before they are granted or after they are revoked', async () => {
  const { id } = world.people.staff
  for (const person of [...Object.values(world.people), { id: '1' as UserId }])
    expect(await rightsOf(person.id)).toEqual([])
  await give(id, ['review', 'order'])
  expect(await rightsOf(id)).toEqual(['review', 'order'])
  expect(await rightsOf(world.people.owner.id)).toEqual([])
  await give(id, [])
  expect(await rightsOf(id)).toEqual([])
})

it('a role is a set of rights, and what is granted comes on top', async () => {
  const { id } = world.people.staff
  const become = (role: 'finance' | '') => transaction(world.database.db, (tx) => setStaffRole(tx, id, role))
  await give(id, ['review'])
  await become('finance')
  expect(await rightsOf(id)).toEqual(['review', 'order', 'refund', 'code', 'price', 'number'])
  await become('')
  expect(await rightsOf(id)).toEqual(['review'])
  await give(id, [])
})

it('a right that no longer exists allows nothing', async () => {
  const { id } = world.people.staff
  await sql`update "user" set staff_rights = '{everything,report}' where id = ${id}`.execute(
    world.database.db,
  )
  expect(await rightsOf(id)).toEqual(['report'])
})
