import type { Order } from '@guildhall/wire/order/order.ts'
import type { PayWay } from '@guildhall/wire/payWay.ts'
import { type ReactNode, useState } from 'react'
import { useText } from '../../kit/i18n.ts'
import { useTimeLeft } from '../../order/order.ts'
import { Button } from '../../ui/Button.tsx'
import { WayIcon } from '../../ui/icon/payIcons.tsx'
import QrPicture from '../../ui/picture/QrPicture.tsx'
import type { Paying } from '../PayOrder.tsx'
import styles from '../PaySheet.module.css'
import { isTouched } from './isTouched.ts'
import { PhoneCode } from './PhoneCode.tsx'
import { text } from './text.ts'

/** A code that the provider's app on a phone scans. */
export default function PayCode(
  props: Pick<Paying, 'isBusy' | 'start' | 'open'> & {
    way: PayWay
    code: string
    order: Order
    children: ReactNode
  },
) {
  const t = useText(text)
  const [isPhone] = useState(isTouched)
  const { way, code, isBusy } = props
  const isOver = useTimeLeft(props.order.expires_at) === 0
  return (
    <>
      <div className={styles.scan}>
        <p className={styles.scanWords} role="status">
          <WayIcon way={way} size={24} /> {isOver ? t.expired : isPhone ? t.payBy(way) : t.scanWith(way)}
        </p>
        {isPhone && !isOver ? (
          <PhoneCode way={way} code={code} isBusy={isBusy} onOpen={() => props.open(way, code)} />
        ) : (
          <div className={styles.qr} data-over={isOver || undefined}>
            <QrPicture text={code} label={t.qr(way)} />
          </div>
        )}
        {!isOver && !isPhone && <p className={styles.quiet}>{t.scanWhy}</p>}
      </div>
      <div className={styles.actions}>
        {isOver && (
          <Button block busy={isBusy} onPress={() => props.start(way, 'qr')}>
            {t.renew}
          </Button>
        )}
        {props.children}
      </div>
    </>
  )
}
