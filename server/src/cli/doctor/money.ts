/** Money: whether the ledger balances and agrees with what was sold, and with the bills of the providers. */
import { faultsOfMoney } from '../../app/payments.ts'
import type { Db } from '../../kit/database/db.ts'
import { differencesOf } from '../../pay/reconcile/reconcile.ts'
import { bad, type Finding, orFine, warn } from './finding.ts'

const SHOWN = 5

export async function checkLedger(db: Db): Promise<Finding[]> {
  const [faults, differences] = await Promise.all([faultsOfMoney(db), differencesOf(db, SHOWN)])
  return orFine('ledger', 'it balances, and agrees with orders, payments and grants', [
    ...faults
      .slice(0, SHOWN)
      .map((line) => bad('ledger', line, 'npm run -s cli -- ledger check; see docs/payments.md.')),
    ...differences.map((it) =>
      warn(
        'reconciliation',
        `${it.way} ${it.day}: ${it.kind} ${it.trade_no}`,
        'npm run -s cli -- ledger differences; see docs/payments.md.',
      ),
    ),
  ])
}
