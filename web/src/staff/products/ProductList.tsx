import { yuan } from '@guildhall/wire/money.ts'
import { market } from '@guildhall/wire/product/product.ts'
import type { StaffProduct } from '@guildhall/wire/staff/products.ts'
import { Link } from 'react-router'
import { useText } from '../../kit/i18n.ts'
import { productKindText } from '../orders/ordersText.ts'
import { type Column, DataTable } from '../parts/DataTable.tsx'
import styles from '../parts/parts.module.css'
import { momentLabel, SectionPage } from '../parts/Section.tsx'
import { fixedRows } from '../parts/useStaffPages.ts'
import { sectionText, text } from '../text.ts'
import { Sale, useFieldWords } from './productParts.tsx'
import { productsText } from './productsText.ts'

/** All products with their prices, and what is planned. */
export function ProductList({ items }: { items: readonly StaffProduct[] }) {
  const t = useText(text)
  const p = useText(productsText)
  const kinds = useText(productKindText)
  const names = useText(sectionText)
  const columns: readonly Column<StaffProduct>[] = [
    {
      title: p.product,
      cell: ({ id, name }) => (
        <Link to={`/staff/products/${id}`}>
          {name} ({id})
        </Link>
      ),
    },
    { title: p.kind, cell: ({ kind }) => kinds[kind as keyof typeof kinds] ?? kind },
    { title: p.price, isNumber: true, cell: ({ price }) => yuan(price) },
    {
      title: p.originPrice,
      isNumber: true,
      cell: ({ origin_price }) => (origin_price === 0 ? '–' : yuan(origin_price)),
    },
    { title: p.label, cell: ({ discount_label }) => discount_label || '–' },
    { title: p.market, cell: (it) => (it.market === market.ios ? p.ios : p.anywhere) },
    { title: p.renews, cell: ({ period_buy }) => (period_buy ? t.yes : t.no) },
    { title: p.sale, cell: (it) => <Sale of={it} /> },
    { title: p.planned, cell: (it) => <Plans of={it} /> },
  ]
  return (
    <SectionPage title={names.products} lead={p.lead}>
      <DataTable
        caption={names.products}
        columns={columns}
        rows={fixedRows(items)}
        keyOf={({ id }) => String(id)}
      />
    </SectionPage>
  )
}

function Plans({ of }: { of: StaffProduct }) {
  const p = useText(productsText)
  const wordsOf = useFieldWords()
  if (of.planned.length === 0) return '–'
  return (
    <ul className={styles.detail}>
      {of.planned.map(({ id, valid_from, fields }) => (
        <li key={id}>
          {p.from(momentLabel(valid_from))}: {wordsOf(fields).join('、')}
        </li>
      ))}
    </ul>
  )
}
