/**
 * The acts of staff that may wait for somebody else. Each runs as it does without, and says what it did and
 * how much that is: whoever runs it takes it back when it is too much for one person.
 */
import type { InputOf } from '@guildhall/wire/route.ts'
import type { ApprovalFacts, ApprovalKind } from '@guildhall/wire/staff/approvals.ts'
import type { changeStaffProduct, withdrawProductChange } from '@guildhall/wire/staff/products.ts'
import { BUFF, daysOfBuff } from '../../buff/buff.ts'
import type { Db, Tx } from '../../kit/database/db.ts'
import type { Emit } from '../../kit/events/events.ts'
import { allProducts } from '../../product/product.ts'
import { identitiesOf } from '../../user/user.ts'
import { type MadeCodes, makeCodes, type WantedCodes } from '../codes/codes.ts'
import { type GuildHandover, giveGuild } from '../guilds/guilds.ts'
import { type BuffGift, giveBuffIn, type NotifyingContext } from '../people/people.ts'
import { changeByStaff, withdrawByStaff } from '../products/products.ts'
import type { StaffActor } from '../staffAction.ts'

/** Where an act runs, and for whom. */
export interface Acting extends NotifyingContext {
  readonly tx: Tx
  readonly emit: Emit
  readonly by: StaffActor
}

/** What an act is done with. It is kept while the act waits, so it is plain JSON. */
export interface ActInputs {
  codes: WantedCodes
  buff: BuffGift
  change: InputOf<typeof changeStaffProduct>
  withdrawal: InputOf<typeof withdrawProductChange>
  guild: GuildHandover
}

export interface ActAnswers {
  codes: MadeCodes
  /** Until when it lasts, ms. */
  buff: number
  /** The id of the change. */
  change: string
  withdrawal: null
  guild: null
}

/** What an act did, and how much that is. */
export interface Weighed<Answer> {
  readonly answer: Answer
  readonly facts: ApprovalFacts
  /** What it made, fen. */
  readonly valueFen: number
  /** Prices that it left, each with what it made of it, fen. */
  readonly prices: readonly (readonly [from: number, to: number])[]
}

type Acts = {
  readonly [Kind in ApprovalKind]: (
    acting: Acting,
    input: ActInputs[Kind],
  ) => Promise<Weighed<ActAnswers[Kind]>>
}

const NOTHING = { valueFen: 0, prices: [] } as const

export const weighedActs: Acts = {
  async codes({ tx, by }, input) {
    const { made, product, valueFen } = await makeCodes(tx, by, input)
    const codes = {
      product_id: product.id,
      product_name: product.name,
      price: product.price,
      count: input.count,
      per_user: input.perUser,
      expires_at: input.expiresAt ?? 0,
      note: input.note ?? '',
      value: valueFen,
    }
    return { ...NOTHING, answer: made, facts: { codes }, valueFen }
  },

  async buff(acting, input) {
    const until = await giveBuffIn(acting, acting.by, input)
    const valueFen = await valueOfBuff(acting.tx, input.days)
    const { tx } = acting
    const to = await named(tx, input.userId)
    return {
      ...NOTHING,
      answer: until,
      facts: { buff: { to, days: input.days, value: valueFen } },
      valueFen,
    }
  },

  async change({ tx, by }, input) {
    const { changeId, product, before, after, prices } = await changeByStaff(tx, by, input)
    const valid_from = input.valid_from ?? 0
    const change = { product_id: product.id, product_name: product.name, valid_from, before, after }
    return { ...NOTHING, answer: changeId, facts: { change }, prices }
  },

  async withdrawal({ tx, by }, input) {
    const { product, validFrom, before, after, prices } = await withdrawByStaff(tx, by, input)
    const { id: product_id, name: product_name } = product
    const change = { product_id, product_name, valid_from: validFrom, before, after }
    return { ...NOTHING, answer: null, facts: { change }, prices }
  },

  async guild({ appContext, tx, emit, by }, input) {
    const { name, before } = await giveGuild({ appContext, tx, emit }, by, input)
    const [from, to] = [await named(tx, before), await named(tx, input.userId)]
    return { ...NOTHING, answer: null, facts: { guild: { id: input.guildId, name, from, to } } }
  },
}

async function named(db: Db, id: GuildHandover['userId']): Promise<{ id: typeof id; name: string }> {
  const identity = (await identitiesOf(db, [id])).get(id)
  return { id, name: identity ? `${identity.username}#${identity.identify_num}` : '' }
}

/** What days of BUFF are worth: as many of the product that is dearest by the day. Fen. */
async function valueOfBuff(db: Db, days: number): Promise<number> {
  const sold = (await allProducts(db)).filter(({ kind }) => kind === BUFF)
  const onSale = sold.filter(({ retired_at }) => retired_at === null)
  const prices = (onSale.length > 0 ? onSale : sold).map(({ price, details }) => price / daysOfBuff(details))
  return Math.ceil(Math.max(0, ...prices) * days)
}
