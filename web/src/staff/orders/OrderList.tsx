import { yuan } from '@guildhall/wire/money.ts'
import { ORDER_STATES } from '@guildhall/wire/order/state.ts'
import { listOrders, PRODUCT_KINDS, type StaffOrderRow } from '@guildhall/wire/staff/orders.ts'
import { foldDashed } from '@guildhall/wire/words.ts'
import { Link } from 'react-router'
import { useText } from '../../kit/i18n.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { AttendedDrawing, OrdersDrawing } from '../drawings.tsx'
import { type Column, DataTable } from '../parts/DataTable.tsx'
import { Choice, SearchForm, useSearched } from '../parts/SearchForm.tsx'
import { Card, Moment, SectionPage } from '../parts/Section.tsx'
import { useStaffPages } from '../parts/useStaffPages.ts'
import { sectionText, text } from '../text.ts'
import { OrderLink, Person, StateTags, Way } from './orderParts.tsx'
import { orderStateText, ordersText, productKindText } from './ordersText.ts'

const anchorOf = ({ id }: StaffOrderRow) => ({ before: id })

/** Orders by what is searched for, the newest first; with those that somebody must look at before them. */
export function OrderList() {
  const o = useText(ordersText)
  const names = useText(sectionText)
  const searched = useSearched()
  const state = ORDER_STATES.find((it) => it === searched.state)
  const kind = PRODUCT_KINDS.find((it) => it === searched.kind)
  const wanted = {
    ...(searched.number && { number: searched.number }),
    ...(state && { state }),
    ...(kind && { kind }),
  }
  const isTroubledFirst = searched.first === 'trouble'
  const troubled = useStaffPages(listOrders, { ...wanted, trouble: true }, anchorOf, isTroubledFirst)
  const rows = useStaffPages(listOrders, wanted, anchorOf)
  const columns = useColumns()
  const isSearch = Object.keys(wanted).length > 0
  const empty = isSearch ? undefined : { icon: <OrdersDrawing />, title: o.noOrders, message: o.noOrdersWhy }
  return (
    <SectionPage
      title={names.orders}
      lead={o.lead}
      actions={
        <Link className={buttonClass('soft')} to="/staff/orders/bills">
          {o.bills}
        </Link>
      }
    >
      <Search />
      {isTroubledFirst ? (
        <>
          <Card title={o.troubled}>
            <DataTable
              caption={o.troubled}
              columns={columns}
              rows={troubled}
              keyOf={({ id }) => id}
              empty={{
                icon: <AttendedDrawing />,
                title: o.nothingNeedsAttention,
                message: o.nothingNeedsAttentionWhy,
              }}
            />
          </Card>
          <Card title={o.rest}>
            <DataTable caption={o.rest} columns={columns} rows={rows} keyOf={({ id }) => id} empty={empty} />
          </Card>
        </>
      ) : (
        <DataTable
          caption={names.orders}
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
          empty={empty}
        />
      )}
    </SectionPage>
  )
}

function Search() {
  const t = useText(text)
  const o = useText(ordersText)
  const states = useText(orderStateText)
  const kinds = useText(productKindText)
  return (
    <SearchForm fields={[{ name: 'number', label: o.number, read: foldDashed }]}>
      <Choice
        name="state"
        label={o.state}
        options={[['', t.all], ...ORDER_STATES.map((it) => [it, states[it]] as const)]}
      />
      <Choice
        name="kind"
        label={o.kind}
        options={[['', t.all], ...PRODUCT_KINDS.map((it) => [it, kinds[it]] as const)]}
      />
      <Choice
        name="first"
        label={o.show}
        options={[
          ['', o.newest],
          ['trouble', o.troubledFirst],
        ]}
      />
    </SearchForm>
  )
}

function useColumns(): readonly Column<StaffOrderRow>[] {
  const o = useText(ordersText)
  return [
    { title: o.order, cell: ({ id }) => <OrderLink id={id} /> },
    { title: o.what, cell: ({ what }) => what },
    { title: o.buyer, cell: ({ buyer }) => <Person of={buyer} /> },
    { title: o.state, cell: (row) => <StateTags of={row} /> },
    { title: o.sum, isNumber: true, cell: ({ pay_fee }) => yuan(pay_fee) },
    {
      title: o.refunded,
      isNumber: true,
      cell: ({ refund_fee }) => (refund_fee === 0 ? '–' : yuan(refund_fee)),
    },
    { title: o.way, cell: ({ way }) => (way === '' ? '–' : <Way of={way} />) },
    { title: o.createdAt, cell: ({ created_at }) => <Moment at={created_at} /> },
  ]
}
