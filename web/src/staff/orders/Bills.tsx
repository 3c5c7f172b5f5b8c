import { yuan } from '@guildhall/wire/money.ts'
import { wayText } from '@guildhall/wire/payWay.ts'
import { type BillDifference, listBills, listDifferences, listDoubts } from '@guildhall/wire/staff/orders.ts'
import { Link } from 'react-router'
import { useText } from '../../kit/i18n.ts'
import { BillsDrawing, EqualDrawing, PaymentsDrawing } from '../drawings.tsx'
import { type Column, DataTable } from '../parts/DataTable.tsx'
import { BackLink } from '../parts/Page.tsx'
import { useSearched } from '../parts/SearchForm.tsx'
import { Card, Moment, SectionPage, Tag } from '../parts/Section.tsx'
import { useStaffPages } from '../parts/useStaffPages.ts'
import { OrderLink } from './orderParts.tsx'
import { differenceText, itemText, mismatchText, ordersText } from './ordersText.ts'

/** /staff/orders/bills: the providers' bills beside the ledger. `?day=` chooses a day. */
export function Bills() {
  const o = useText(ordersText)
  return (
    <>
      <BackLink to="/staff/orders" />
      <SectionPage title={o.bills} lead={o.billsLead}>
        <Differences />
        <Days />
        <Mismatches />
      </SectionPage>
    </>
  )
}

function Differences() {
  const o = useText(ordersText)
  const whats = useText(differenceText)
  const items = useText(itemText)
  const ways = useText(wayText)
  const { day } = useSearched()
  const rows = useStaffPages(listDifferences, day ? { day } : {}, (last: BillDifference) => ({
    before_day: last.day,
    before: Number(last.id),
  }))
  const sum = (fee: number) => (fee < 0 ? o.absent : yuan(fee))
  const columns: readonly Column<BillDifference>[] = [
    { title: o.day, cell: (row) => row.day },
    { title: o.way, cell: ({ way }) => ways[way] },
    { title: o.difference, cell: ({ what, kind }) => `${items[kind]} · ${whats[what]}` },
    { title: o.there, isNumber: true, cell: ({ there }) => sum(there) },
    { title: o.here, isNumber: true, cell: ({ here }) => sum(here) },
    { title: o.trade, cell: ({ trade_no, refund_no }) => refund_no || trade_no },
    { title: o.providerNo, cell: ({ provider_no }) => provider_no || '–' },
    { title: o.order, cell: ({ order_id }) => (order_id === '' ? '–' : <OrderLink id={order_id} />) },
    {
      title: o.state,
      cell: ({ is_settled }) => (
        <Tag kind={is_settled ? 'good' : 'bad'}>{is_settled ? o.settled : o.open}</Tag>
      ),
    },
  ]
  const title = day ? o.ofDay(day) : o.allDifferences
  return (
    <Card title={title} actions={day && <Link to="/staff/orders/bills">{o.allDays}</Link>}>
      <DataTable
        caption={title}
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        empty={{
          icon: <EqualDrawing />,
          title: o.noDifferences,
          message: o.noDifferencesWhy,
        }}
      />
    </Card>
  )
}

function Days() {
  const o = useText(ordersText)
  const ways = useText(wayText)
  const rows = useStaffPages(listBills, {}, ({ day }) => ({ before: day }))
  return (
    <Card title={o.comparedBills}>
      <DataTable
        caption={o.comparedBills}
        rows={rows}
        keyOf={({ way, day }) => `${day} ${way}`}
        empty={{
          icon: <BillsDrawing />,
          title: o.noBills,
          message: o.noBillsWhy,
        }}
        columns={[
          { title: o.day, cell: ({ day }) => <Link to={`/staff/orders/bills?day=${day}`}>{day}</Link> },
          { title: o.way, cell: ({ way }) => ways[way] },
          { title: o.billLines, isNumber: true, cell: ({ lines }) => lines },
          {
            title: o.differences,
            isNumber: true,
            cell: ({ differences }) =>
              differences < 0 ? (
                o.notLooked
              ) : (
                <Tag kind={differences > 0 ? 'bad' : 'good'}>{differences}</Tag>
              ),
          },
          { title: o.comparedAt, cell: ({ compared_at }) => <Moment at={compared_at} /> },
        ]}
      />
    </Card>
  )
}

function Mismatches() {
  const o = useText(ordersText)
  const whys = useText(mismatchText)
  const ways = useText(wayText)
  const rows = useStaffPages(listDoubts, {}, ({ id }) => ({ before: Number(id) }))
  return (
    <Card title={o.allMismatches}>
      <p>{o.mismatchesWhy}</p>
      <DataTable
        caption={o.allMismatches}
        rows={rows}
        keyOf={({ id }) => id}
        empty={{
          icon: <PaymentsDrawing />,
          title: o.noMismatches,
          message: o.noMismatchesWhy,
        }}
        columns={[
          { title: o.at, cell: ({ at }) => <Moment at={at} /> },
          { title: o.doubt, cell: ({ why }) => whys[why as keyof typeof whys] ?? why },
          { title: o.way, cell: ({ way }) => ways[way] },
          { title: o.trade, cell: ({ trade_no }) => trade_no },
          { title: o.providerNo, cell: ({ provider_no }) => provider_no },
          { title: o.count, isNumber: true, cell: ({ times }) => times },
          { title: o.order, cell: ({ order_id }) => (order_id === '' ? '–' : <OrderLink id={order_id} />) },
        ]}
      />
    </Card>
  )
}
