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
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { ordersText } from '../ordersText.ts'
import { ActDialog } from '../parts/ActDialog.tsx'
import styles from '../parts/parts.module.css'
import { useMay } from '../self.ts'

type Act = 'refund' | 'retry' | 'retryRefunds'

/** What may be done with an order, by whom. */
export function OrderActs({ of, onDone }: { of: StaffOrder; onDone: () => void }) {
  const o = useText(ordersText)
  const may = useMay()
  const [act, setAct] = useState<Act | null>(null)
  if (of.is_of_staff) return null
  const close = () => setAct(null)
  const done = () => {
    close()
    onDone()
  }
  return (
    <>
      {of.can_retry && (
        <Button kind="soft" onPress={() => setAct('retry')}>
          {o.retry}
        </Button>
      )}
      {of.can_retry_refunds && may('refund') && (
        <Button kind="soft" onPress={() => setAct('retryRefunds')}>
          {o.retryRefunds}
        </Button>
      )}
      {of.left && may('refund') && (
        <Button kind="danger" onPress={() => setAct('refund')}>
          {o.refund}
        </Button>
      )}
      {act === 'refund' && of.left && <RefundDialog of={of} left={of.left} onDone={done} onClose={close} />}
      {act === 'retry' && (
        <ActDialog
          route={retryStaffOrder}
          input={{ order_id: of.id }}
          title={o.retryTitle}
          message={o.retryWhy}
          confirm={o.retry}
          reason="reason"
          onDone={done}
          onClose={close}
        />
      )}
      {act === 'retryRefunds' && (
        <ActDialog
          route={retryStaffRefunds}
          input={{ order_id: of.id }}
          title={o.retryRefundsTitle}
          message={o.retryRefundsWhy}
          confirm={o.retryRefunds}
          reason="reason"
          reasonMax={REFUND_REASON_MAX}
          onDone={done}
          onClose={close}
        />
      )}
    </>
  )
}

/** Asks how much goes back and why, and says what that takes away. */
function RefundDialog(props: {
  of: StaffOrder
  left: NonNullable<StaffOrder['left']>
  onDone: () => void
  onClose: () => void
}) {
  const o = useText(ordersText)
  const { of, left } = props
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
      route={refundStaffOrder}
      input={{ order_id: of.id, left: left.fee, ...(isPart && fee !== null && { fee }) }}
      title={o.refundTitle}
      message={effect}
      confirm={o.refund}
      danger
      reason="reason"
      reasonMax={REFUND_REASON_MAX}
      reasonWhy={o.refundTells}
      problem={isWrong ? o.partWrong(yuan(left.fee).slice(1)) : undefined}
      onDone={props.onDone}
      onClose={props.onClose}
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
