import { closeOrder, type UnpaidItem } from '@guildhall/wire/order/order.ts'
import { useState } from 'react'
import { useText } from '../kit/i18n.ts'
import { useCall } from '../kit/useCall.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/overlay/Dialog.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import styles from './OrderSheet.module.css'
import { orderChanged, useBrowserWays } from './order.ts'
import { text } from './text.ts'

/** Giving up an order, as a part of a screen that stays while the order changes. */
export interface Cancelling {
  /** Asks whether this order shall be given up. */
  readonly ask: (orderId: string) => void
  /** The order that is being given up; null: none. */
  readonly busyWith: string | null
  /** The question. */
  readonly dialog: React.ReactNode
}

/** `onPaid`: the order was paid meanwhile, and stays paid. */
export function useCancelling(onPaid: (orderId: string) => void): Cancelling {
  const t = useText(text)
  const closing = useCall(closeOrder)
  const [asked, setAsked] = useState<string | null>(null)
  const [busyWith, setBusy] = useState<string | null>(null)
  const cancel = async (orderId: string) => {
    setAsked(null)
    setBusy(orderId)
    const isClosed = await closing.run({ order_id: orderId }, ({ name, message }) => {
      toast(message)
      if (name === 'order.paid') onPaid(orderId)
    })
    setBusy(null)
    if (isClosed) toast(t.cancelled)
    // A refusal means that something happened to it meanwhile.
    orderChanged()
  }
  return {
    ask: (orderId) => busyWith === null && setAsked(orderId),
    busyWith,
    dialog: asked && (
      <Dialog
        title={t.cancelTitle}
        message={t.cancelWords}
        confirm={t.cancel}
        cancel={t.keep}
        danger
        onConfirm={() => void cancel(asked)}
        onClose={() => setAsked(null)}
      />
    ),
  }
}

/** What can be done about an order that waits for its payment. `row`: side by side, in a list. */
export function OrderActs(props: {
  order: Pick<UnpaidItem, 'order_id'> & { readonly period_buy?: boolean | undefined }
  row?: boolean
  cancelling: Cancelling
  onContinue: () => void
}) {
  const { order, cancelling } = props
  const t = useText(text)
  const ways = useBrowserWays(true, order)
  const cancel = (
    <Button
      kind="quiet"
      block
      busy={cancelling.busyWith === order.order_id}
      onPress={() => cancelling.ask(order.order_id)}
    >
      {t.cancel}
    </Button>
  )
  return (
    <div className={styles.acts} data-row={props.row || undefined}>
      {props.row && cancel}
      {ways?.length === 0 ? (
        <p className={styles.inApp}>{t.inApp}</p>
      ) : (
        <Button block onPress={props.onContinue}>
          {t.goOn}
        </Button>
      )}
      {!props.row && cancel}
    </div>
  )
}
