import { yuan } from '@guildhall/wire/money.ts'
import { market } from '@guildhall/wire/product/product.ts'
import {
  listProductChanges,
  type ProductChange,
  type StaffProduct,
  withdrawProductChange,
} from '@guildhall/wire/staff/products.ts'
import { useText } from '../../kit/i18n.ts'
import { PricesDrawing } from '../drawings.tsx'
import { Details } from '../orders/orderParts.tsx'
import { productKindText } from '../orders/ordersText.ts'
import { ActDialog } from '../parts/ActDialog.tsx'
import { type Act, Acts } from '../parts/Acts.tsx'
import { type Column, DataTable } from '../parts/DataTable.tsx'
import { StaffName } from '../parts/Links.tsx'
import styles from '../parts/parts.module.css'
import { Card, Facts, Moment, momentLabel, SectionPage, Tag } from '../parts/Section.tsx'
import { useStaffPages } from '../parts/useStaffPages.ts'
import { text } from '../text.ts'
import { ChangeForm } from './ChangeForm.tsx'
import { Sale, translationWords, useFieldWords } from './productParts.tsx'
import { changeStateText, productsText } from './productsText.ts'

/** /staff/products/{product}: what it is now, changing it, and its history. */
export function ProductPage({ of, onChanged }: { of: StaffProduct; onChanged: () => void }) {
  const p = useText(productsText)
  const history = useStaffPages(listProductChanges, { product_id: of.id }, ({ id }) => ({
    before: Number(id),
  }))
  const changed = () => {
    onChanged()
    history.refetch()
  }
  return (
    <SectionPage title={of.name}>
      <Card title={p.facts}>
        <ProductFacts of={of} />
      </Card>
      <Card title={p.change}>
        <ChangeForm of={of} onDone={changed} />
      </Card>
      <Card title={p.history}>
        <History rows={history} onDone={changed} />
      </Card>
    </SectionPage>
  )
}

function ProductFacts({ of }: { of: StaffProduct }) {
  const t = useText(text)
  const p = useText(productsText)
  const kinds = useText(productKindText)
  return (
    <Facts
      of={[
        [p.id, String(of.id)],
        [p.kind, kinds[of.kind as keyof typeof kinds] ?? of.kind],
        [p.sale, <Sale key="sale" of={of} />],
        [p.price, yuan(of.price)],
        [p.originPrice, of.origin_price === 0 ? t.none : yuan(of.origin_price)],
        [p.label, of.discount_label || t.none],
        [p.tip, of.buy_tip || t.none],
        [p.english, translationWords(of.translations) || t.none],
        [p.market, of.market === market.ios ? p.ios : p.anywhere],
        [p.group, String(of.group_id)],
        [p.renews, of.period_buy ? t.yes : t.no],
        [p.grants, <Details key="grants" of={of.details} />],
      ]}
    />
  )
}

const TAGS = { planned: 'wait', valid: 'good', withdrawn: 'plain' } as const

/** Every change, also those that are still to come, which can be withdrawn. */
function History(props: {
  rows: ReturnType<typeof useStaffPages<typeof listProductChanges>>
  onDone: () => void
}) {
  const p = useText(productsText)
  const wordsOf = useFieldWords()
  const columns: readonly Column<ProductChange>[] = [
    { title: p.validAt, cell: ({ valid_from }) => <Moment at={valid_from} /> },
    {
      title: p.what,
      cell: ({ fields }) => (
        <ul>
          {wordsOf(fields).map((content) => (
            <li key={content}>{content}</li>
          ))}
        </ul>
      ),
    },
    { title: p.who, cell: ({ actor, actor_name }) => <StaffName id={actor} name={actor_name} isFull /> },
    { title: p.reason, cell: ({ reason }) => reason || '–' },
    { title: p.madeAt, cell: ({ at }) => <Moment at={at} /> },
    { title: p.state, cell: (it) => <ChangeState of={it} onDone={props.onDone} /> },
  ]
  return (
    <DataTable
      caption={p.history}
      columns={columns}
      rows={props.rows}
      keyOf={({ id }) => id}
      empty={{
        icon: <PricesDrawing />,
        title: p.noHistory,
        message: p.noHistoryWhy,
      }}
    />
  )
}

function ChangeState({ of, onDone }: { of: ProductChange; onDone: () => void }) {
  const p = useText(productsText)
  const states = useText(changeStateText)
  const withdrawal: Act = {
    label: p.withdraw,
    dialog: (end) => (
      <ActDialog
        {...end}
        route={withdrawProductChange}
        input={{ change_id: Number(of.id) }}
        title={p.withdrawTitle}
        message={p.withdrawWhy(momentLabel(of.valid_from))}
        confirm={p.withdraw}
        danger
      />
    ),
  }
  return (
    <div className={styles.tags}>
      <Tag kind={TAGS[of.state]}>{states[of.state]}</Tag>
      {of.state === 'withdrawn' && (
        <span className={styles.detail}>{p.withdrawnBy(of.withdrawn_by, of.withdrawn_why)}</span>
      )}
      <Acts of={[of.state === 'planned' && withdrawal]} onDone={onDone} />
    </div>
  )
}
