/** Whether orders, payments, refunds, grants and the ledger agree. */
import type { Db } from '../../kit/database/db.ts'
import { ledgerFaults } from '../../ledger/ledger.ts'
import type { ProductKind } from '../../order/order.ts'
import * as rows from './faultsSql.ts'

const FAULTS_MAX = 100
const ORDERS_AT_ONCE = 500

/**
 * What orders, payments, refunds, grants and the ledger say that does not agree, as sentences; none when all
 * of it does.
 */
export async function moneyFaults(
  db: Db,
  kinds: ReadonlyMap<string, Pick<ProductKind, 'standing'>>,
): Promise<readonly string[]> {
  const found = [...(await rows.disagreements(db, FAULTS_MAX))]
  for (let after = '0'; ; ) {
    const orders = await rows.ordersAfter(db, after, ORDERS_AT_ONCE)
    for (const [name, kind] of kinds) {
      const ofKind = orders.filter((it) => it.kinds.includes(name))
      const standing = await kind.standing(
        db,
        ofKind.map(({ id }) => id),
      )
      for (const { id, is_granted, state } of ofKind)
        if (is_granted !== standing.has(id))
          found.push(
            `order ${id} is ${state} and ${is_granted ? 'has lost' : 'still has'} what ${name} granted`,
          )
    }
    const last = orders.at(-1)
    if (!last || orders.length < ORDERS_AT_ONCE) return found
    after = last.id
  }
}

/** The same, and what is wrong with the ledger itself. */
export const faultsOf = async (
  db: Db,
  kinds: Parameters<typeof moneyFaults>[1],
): Promise<readonly string[]> => [...(await ledgerFaults(db)), ...(await moneyFaults(db, kinds))]
