import { yuan } from '@guildhall/wire/money.ts'
import { type StaffOrder, viewStaffOrder } from '@guildhall/wire/staff/orders.ts'
import { Link, useParams } from 'react-router'
import { useText } from '../../kit/i18n.ts'
import { Loaded } from '../parts/Page.tsx'
import { Card, Facts, Moment, SectionPage } from '../parts/Section.tsx'
import { text } from '../text.ts'
import { OrderActs } from './OrderActs.tsx'
import { Entries, Granted, Lines, Mismatches, Payments, Refunds, Steps } from './OrderTables.tsx'
import { Person, StateTags, Way } from './orderParts.tsx'
import { ordersText } from './ordersText.ts'

/** /staff/orders/{order}: all that is known of one. */
export function OrderPage() {
  const { order = '' } = useParams()
  return (
    <Loaded route={viewStaffOrder} input={{ order_id: order }} back="/staff/orders">
      {(of, refetch) => <Order of={of} onDone={refetch} />}
    </Loaded>
  )
}

function Order({ of, onDone }: { of: StaffOrder; onDone: () => void }) {
  const o = useText(ordersText)
  return (
    <SectionPage title={o.title(of.id)} actions={<OrderActs of={of} onDone={onDone} />}>
      <Card title={o.facts}>
        <OrderFacts of={of} />
      </Card>
      <Lines of={of} />
      <Granted of={of} />
      <Steps of={of} />
      <Payments of={of} />
      <Refunds of={of} />
      {of.doubts.length > 0 && <Mismatches of={of} />}
      <Entries of={of} />
    </SectionPage>
  )
}

function OrderFacts({ of }: { of: StaffOrder }) {
  const t = useText(text)
  const o = useText(ordersText)
  return (
    <>
      <Facts
        of={[
          [o.state, <StateTags key="state" of={of} />],
          [o.buyer, <Person key="buyer" of={of.buyer} />],
          [o.receiver, of.receiver ? <Person key="receiver" of={of.receiver} /> : o.self],
          [
            o.guild,
            of.guild_id === '' ? (
              t.none
            ) : (
              <Link key="guild" to={`/staff/orders?number=${of.guild_id}`}>
                {of.guild_name} ({of.guild_id})
              </Link>
            ),
          ],
          [o.sum, yuan(of.pay_fee)],
          [o.refunded, yuan(of.refund_fee)],
          [o.left, of.left ? yuan(of.left.fee) : t.none],
          [o.way, of.way === '' ? t.none : <Way key="way" of={of.way} />],
          [o.createdAt, <Moment key="created" at={of.created_at} />],
          [o.expiresAt, <Moment key="expires" at={of.expires_at} />],
          [o.isGranted, of.is_granted ? t.yes : t.no],
          ...(of.grant_tries > 0 ? [[o.grantTries, String(of.grant_tries)] as const] : []),
        ]}
      />
      {of.is_of_staff && <p>{o.ofStaff}</p>}
    </>
  )
}
