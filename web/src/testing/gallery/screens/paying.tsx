/** Orders: the bill, the code on a phone and at a desk, and the moment after paying. */
import { vipProducts } from '@guildhall/wire/buff/buff.ts'
import {
  type BillItem,
  listPayments,
  listUnpaid,
  type Order,
  viewOrder,
} from '@guildhall/wire/order/order.ts'
import { PAY_WAYS, type PayWay } from '@guildhall/wire/payWay.ts'
import { MINUTE_MS } from '@guildhall/wire/unit.ts'
import { useText } from '../../../kit/i18n.ts'
import PayCode from '../../../pay/code/PayCode.tsx'
import styles from '../../../pay/PaySheet.module.css'
import { PaySheet } from '../../../pay/pay.tsx'
import { text } from '../../../pay/text.ts'
import { Sheet } from '../../../ui/overlay/Sheet.tsx'
import type { On } from '../../answers.ts'
import { billItemOf, orderOf } from '../../fixtures.ts'
import { longName } from '../kinds.tsx'
import type { Shown } from './screen.ts'

const nothing = () => undefined
const BILL = '/account/order-list'
const DAY_MS = 86_400_000
const orderId = (n: number) => `2000000000000000000${n}`
const item = (n: number, more: Partial<BillItem>): BillItem =>
  billItemOf({ order_id: orderId(n), order_datetime: Date.now() - (n * DAY_MS) / 2, ...more })

const paid = [
  item(0, {}),
  item(1, {
    buy_info: '助力包',
    item_entities_desc: '助力包 × 30',
    usage_info: '星海公会',
    pay_fee: 1_234_500,
    pay_platform: 2,
  }),
  item(2, { usage_info: '安然', state: 'refunded', refund_fee: 3_000 }),
  item(3, { state: 'closed', pay_platform: 0 }),
  item(4, { usage_info: longName.username, state: 'refunding' }),
]
const waiting = (n: number, left_ms: number, usage_info: string) => ({
  order_id: orderId(n),
  buy_info: n === 5 ? '助力包 × 12' : 'BUFF 月卡',
  usage_info,
  pay_fee: n === 5 ? 1_200_000 : 3_000,
  left_ms,
  period_buy: false,
})
const unpaid = [waiting(5, 14 * MINUTE_MS, '星海公会'), waiting(6, MINUTE_MS, longName.username)]

const bill = (on: On, items: readonly BillItem[], orders = unpaid) => {
  on(vipProducts, () => ({ items: [], browser_ways: [...PAY_WAYS] }))
  on(listUnpaid, () => ({ items: orders }))
  on(listPayments, () => ({
    items: [...items],
    meta: {
      page: 1,
      page_total: 1,
      page_size: 50,
      total: items.length,
    },
    sort: {},
  }))
}

/** The sheet of an order above the bill. */
const sheet = (name: string, more: Partial<Order>): Shown => ({
  name,
  at: BILL,
  answer(on) {
    bill(on, [], [])
    on(viewOrder, () => orderOf(more))
  },
  above: () => <PaySheet pay={{ orderId: orderOf().order_id }} ways={PAY_WAYS} onClose={nothing} />,
})
/** The code of an order: at a desk to scan, on a phone to save. `left`: ms. */
const code = (name: string, way: PayWay, left: number): Shown => ({
  name,
  at: BILL,
  answer: (on) => bill(on, [], []),
  above: () => <CodeSheet way={way} order={orderOf({ expires_at: Date.now() + left })} />,
})
function CodeSheet({ way, order }: { way: PayWay; order: Order }) {
  const t = useText(text)
  return (
    <Sheet title={t.title} onClose={nothing}>
      <div className={styles.sheet}>
        <PayCode
          way={way}
          code="weixin://wxpay/bizpayurl?pr=dB3kXw1zz"
          order={order}
          isBusy={false}
          start={nothing}
          open={nothing}
        >
          {null}
        </PayCode>
      </div>
    </Sheet>
  )
}
const packs = [
  {
    product_id: 2,
    name: '助力包',
    count: 12,
    price: 1_000,
    fee: 12_000,
  },
]

export const payingScreens: readonly Shown[] = [
  {
    name: 'bill',
    at: BILL,
    answer: (on) => bill(on, paid),
  },
  {
    name: 'empty-bill',
    at: BILL,
    answer: (on) => bill(on, [], []),
  },
  sheet('choosing-a-way', {}),
  code('code-of-wechat', 'wechat', 15 * MINUTE_MS),
  code('code-of-alipay', 'alipay', 15 * MINUTE_MS),
  code('code-that-ended', 'wechat', 0),
  sheet('paid', { state: 'granted', pay_platform: 1 }),
  sheet('paid-for-a-guild', {
    state: 'granted',
    guild_id: '10',
    usage_info: '星海公会',
    lines: packs,
    pay_fee: 1_200_000,
  }),
  sheet('paid-for-a-person', { state: 'granted', user_id: '31', usage_info: longName.username }),
  sheet('cancelled', { state: 'closed' }),
]
