import { yuan } from '@guildhall/wire/money.ts'
import { market } from '@guildhall/wire/product/product.ts'
import {
  type ProductTranslations,
  type ProductWords,
  productWordMax,
} from '@guildhall/wire/product/translation.ts'
import type { ProductChange, StaffProduct } from '@guildhall/wire/staff/products.ts'
import { useText } from '../../kit/i18n.ts'
import { useDetailText } from '../orders/orderParts.tsx'
import { productKindText } from '../orders/ordersText.ts'
import { Tag } from '../parts/Section.tsx'
import { text } from '../text.ts'
import { fieldText, productsText } from './productsText.ts'

export function Sale({ of }: { of: Pick<StaffProduct, 'on_sale'> }) {
  const p = useText(productsText)
  return <Tag kind={of.on_sale ? 'good' : 'plain'}>{of.on_sale ? p.onSale : p.offSale}</Tag>
}

/** The words of a product that are translated. */
export type Word = keyof ProductWords
export const WORDS = Object.keys(productWordMax) as readonly Word[]

/** `30 days · Save ¥6 · For 30 days` */
export const translationWords = ({ en }: ProductTranslations): string =>
  WORDS.map((word) => en?.[word])
    .filter(Boolean)
    .join(' · ')

type Fields = ProductChange['fields']

/** Says what some fields become: `价格 ¥9.00`. With `before`, what they were as well. */
export function useFieldWords(): (fields: Fields, before?: Fields) => string[] {
  const t = useText(text)
  const p = useText(productsText)
  const names = useText(fieldText)
  const kinds = useText(productKindText)
  const detailsOf = useDetailText()
  const wordOf = (field: string, value: unknown): string => {
    if (field === 'price' || field === 'origin_price') return yuan(Number(value))
    if (field === 'on_sale') return value === true ? p.onSale : p.offSale
    if (field === 'kind') return kinds[value as keyof typeof kinds] ?? String(value)
    if (field === 'market') return value === market.ios ? p.ios : p.anywhere
    if (field === 'translations') return translationWords(value as ProductTranslations) || p.empty
    if (field === 'details') return detailsOf(value as Fields)
    if (typeof value === 'boolean') return value ? t.yes : t.no
    return value === '' ? p.empty : String(value)
  }
  return (fields, before) =>
    Object.entries(fields).map(([field, value]) => {
      const name = names[field as keyof typeof names] ?? field
      const was = before && Object.hasOwn(before, field) ? `${wordOf(field, before[field])} → ` : ''
      return `${name} ${was}${wordOf(field, value)}`
    })
}

/** A product as it will be at a moment, ms, by what is planned of it. */
export const productAt = (of: StaffProduct, at: number): StaffProduct => {
  const due = of.planned.filter(({ state, valid_from }) => state === 'planned' && valid_from <= at)
  return Object.assign({}, of, ...due.map(({ fields }) => fields)) as StaffProduct
}
