import { typedFen, yuan } from '@guildhall/wire/money.ts'
import {
  REFUND_REASON_MAX,
  refundStaffOrder,
  retryStaffOrder,
  retryStaffRefunds,
  type StaffOrder,
} from '@guildhall/wire/staff/orders.ts'
import { DAY_MS } from '@guildhall/wire/unit.ts'
import { foldDashed } from '@guildhall/wire/words.ts'
import { useId, useState } from 'react'
import { useText } from '../../kit/i18n.ts'
import { Field } from '../../ui/form/Field.tsx'
import { ActDialog } from '../parts/ActDialog.tsx'
import { type Act, Acts, type End } from '../parts/Acts.tsx'
import styles from '../parts/parts.module.css'
import { useMay } from '../self.ts'
import { ordersText } from './ordersText.ts'

/** What may be done with an order, by whom. */
export function OrderActs({ of, onDone }: { of: StaffOrder; onDone: () => void }) {
  const o = useText(ordersText)
  const may = useMay()
  if (of.is_of_staff) return null
  const { left } = of
  const input = { order_id: of.id }
  const acts: readonly (Act | false)[] = [
    of.can_retry && {
      label: o.retry,
      dialog: (end) => (
        <ActDialog
          {...end}
          route={retryStaffOrder}
          input={input}
          title={o.retryTitle}
          message={o.retryWhy}
          confirm={o.retry}
        />
      ),
    },
    of.can_retry_refunds &&
      may('refund') && {
        label: o.retryRefunds,
        dialog: (end) => (
          <ActDialog
            {...end}
            route={retryStaffRefunds}
            input={input}
            title={o.retryRefundsTitle}
            message={o.retryRefundsWhy}
            confirm={o.retryRefunds}
            reasonMax={REFUND_REASON_MAX}
          />
        ),
      },
    left !== null &&
      may('refund') && {
        label: o.refund,
        kind: 'danger',
        dialog: (end) => <RefundDialog of={of} left={left} {...end} />,
      },
  ]
  return <Acts of={acts} onDone={onDone} />
}

/** Asks how much goes back and why, and says what that takes away. */
function RefundDialog({ of, left, ...end }: { of: StaffOrder; left: NonNullable<StaffOrder['left']> } & End) {
  const o = useText(ordersText)
  const name = useId()
  const [isPart, setPart] = useState(false)
  const [typed, setTyped] = useState('')
  const fee = typedFen(typed)
  const isWrong = isPart && (fee === null || fee < 1 || fee > left.fee)
  const revoked = useRevoked(of)
  const isAll = !isPart || fee === left.fee
  const effect = isAll && left.revokes ? o.revokes(revoked) : isAll ? o.revokesNothing : o.partKeeps
  return (
    <ActDialog
      {...end}
      route={refundStaffOrder}
      input={{ order_id: of.id, left: left.fee, ...(isPart && fee !== null && { fee }) }}
      title={o.refundTitle}
      message={effect}
      confirm={o.refund}
      danger
      reasonMax={REFUND_REASON_MAX}
      reasonWhy={o.refundNotifies}
      problem={isWrong ? o.partWrong(yuan(left.fee).slice(1)) : undefined}
    >
      {left.is_divisible && (
        <fieldset className={styles.radios}>
          <legend>{o.refundHow}</legend>
          {[false, true].map((part) => (
            <label key={String(part)}>
              <input type="radio" name={name} checked={isPart === part} onChange={() => setPart(part)} />
              {part ? o.refundPart : o.refundAll(yuan(left.fee))}
            </label>
          ))}
        </fieldset>
      )}
      {isPart && (
        <Field
          label={o.partSum}
          name="fee"
          inputMode="decimal"
          maxLength={10}
          read={foldDashed}
          value={typed}
          onChange={setTyped}
        />
      )}
    </ActDialog>
  )
}

/** What giving all of an order back takes away, in words. */
function useRevoked(of: StaffOrder): string {
  const o = useText(ordersText)
  const days = (length: number) => Math.round(length / DAY_MS)
  return of.granted
    .filter(({ revoked_at }) => revoked_at === 0)
    .map(({ what, length, count, used }) => {
      if (what === 'boost') return o.revokePacks(count, used)
      return what === 'buff' ? o.revokeBuff(days(length)) : o.revokeGolive(days(length))
    })
    .join('、')
}
