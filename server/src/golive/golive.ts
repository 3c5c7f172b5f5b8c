/** Screen sharing: a standard and a professional version, each for a time. commerce.md §3, §9. */

import type { UserId } from '@guildhall/wire/id.ts'
import { int, type Out, z } from '@guildhall/wire/schema.ts'
import { DAY_MS, type Millis } from '@guildhall/wire/unit.ts'
import {
  endOfKind,
  endsOfKind,
  factsOf,
  grant,
  type NotifyHolder,
  revoke,
  standingGrants,
} from '../entitlement/entitlement.ts'
import { clock } from '../kit/clock.ts'
import type { Db, Tx } from '../kit/database/db.ts'
import type { Emit } from '../kit/events/events.ts'
import type { ProductKind } from '../order/order.ts'

/** The name of the product kind. */
export const GOLIVE = 'golive'

export const VERSIONS = ['normal', 'pro'] as const
export type Version = (typeof VERSIONS)[number]

const DAYS_MAX = 3_660
const details = z.object({ type: z.enum(VERSIONS), days: int(1, DAYS_MAX) })
const read = (it: unknown) => details.parse(it) as Out<typeof details>

const kindOf = (version: Version) => `golive_${version}`

/** Nobody else sees it, so the person alone is told. */
export const goliveKind = (notify: NotifyHolder): ProductKind => ({
  name: GOLIVE,
  details,
  forGuild: false,
  isGift: true,
  isCounted: false,
  async grants(tx, emit, line) {
    const { type, days } = read(line.details)
    const length = days * line.count * DAY_MS
    await grant(tx, { userId: line.userId, kind: kindOf(type), orderId: line.orderId, length })
    await notify(tx, emit, line.userId, 'self')
  },
  async revokes(tx, emit, line) {
    await revoke(tx, { ...line, kind: kindOf(read(line.details).type) })
    await notify(tx, emit, line.userId, 'self')
  },
  /** Nobody is given what they have, or less. */
  async owners(db, userIds, it) {
    const enough = read(it).type === 'pro' ? (['pro'] as const) : VERSIONS
    const now = clock.now()
    const ends = await Promise.all(enough.map((version) => endsOfKind(db, userIds, kindOf(version))))
    return new Set(userIds.filter((id) => ends.some((end) => (end.get(id) ?? 0) > now)))
  },
  hasBetter: async (db, userId, it) => read(it).type === 'normal' && (await goliveEnds(db, userId)).pro > 0,
  endsAt: (db, userId, it) => endOfKind(db, userId, kindOf(read(it).type)),
  granted: (db, orderId) => factsOf(db, orderId, VERSIONS.map(kindOf)),
  async standing(db, orderIds) {
    const found = await Promise.all(VERSIONS.map((it) => standingGrants(db, kindOf(it), orderIds)))
    return new Set(found.flatMap((it) => [...it]))
  },
})

/** Until when somebody has each version, ms; 0: they have not. */
export async function goliveEnds(db: Db, userId: UserId): Promise<Readonly<Record<Version, Millis>>> {
  const now = clock.now()
  const [normal = 0, pro = 0] = await Promise.all(VERSIONS.map((it) => endOfKind(db, userId, kindOf(it))))
  return { normal: normal > now ? normal : 0, pro: pro > now ? pro : 0 }
}

/** The best version that somebody has, and until when, ms. */
export async function goliveOf(
  db: Db,
  userId: UserId,
): Promise<{ readonly type: Version | 'none'; readonly until: Millis }> {
  const { normal, pro } = await goliveEnds(db, userId)
  if (pro > 0) return { type: 'pro', until: pro }
  return normal > 0 ? { type: 'normal', until: normal } : { type: 'none', until: 0 }
}

/** Gives a version without an order, and answers until when it lasts, ms. */
export async function giveGolive(
  { tx, emit, notify }: { readonly tx: Tx; readonly emit: Emit; readonly notify: NotifyHolder },
  userId: UserId,
  input: { readonly type: Version; readonly days: number },
): Promise<Millis> {
  const length = input.days * DAY_MS
  const until = await grant(tx, { userId, kind: kindOf(input.type), orderId: null, length })
  await notify(tx, emit, userId, 'self')
  return until
}
