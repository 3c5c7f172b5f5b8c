import { typedFen, yuan } from '@guildhall/wire/money.ts'
import {
  changeStaffProduct,
  LABEL_MAX,
  PRICE_MAX,
  PRODUCT_NAME_MAX,
  type StaffProduct,
  TIP_MAX,
} from '@guildhall/wire/staff/products.ts'
import { foldDashed, readName, readWords } from '@guildhall/wire/words.ts'
import { type FormEvent, useId, useState } from 'react'
import { useText } from '../../kit/i18n.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { ActDialog } from '../parts/ActDialog.tsx'
import styles from '../parts/parts.module.css'
import { momentLabel } from '../parts/Section.tsx'
import { productsText } from '../productsText.ts'
import { productAt, useFieldWords } from './productParts.tsx'

/** What somebody has typed; what they did not touch is absent, and stays as it is then. */
interface Typed {
  readonly name?: string
  readonly price?: string
  readonly origin_price?: string
  readonly discount_label?: string
  readonly buy_tip?: string
  readonly on_sale?: string
}

type Wrong = Partial<Record<keyof Typed | 'valid_from', string>>

/** A form that changes a product at once or from a moment on. */
export function ChangeForm({ of, onDone }: { of: StaffProduct; onDone: () => void }) {
  const p = useText(productsText)
  const wordsOf = useFieldWords()
  const id = useId()
  const [typed, setTyped] = useState<Typed>({})
  const [when, setWhen] = useState('')
  const [wrong, setWrong] = useState<Wrong>({})
  const [isAsked, setAsked] = useState(false)
  const validFrom = when === '' ? null : Date.parse(when)
  // What is planned until then counts as what it will be.
  const before = productAt(of, validFrom ?? 0)
  const fields = changedFields(typed, before)
  const shown = (field: keyof Typed): string => typed[field] ?? shownOf(before, field)
  const set = (field: keyof Typed) => (value: string) => {
    setTyped({ ...typed, [field]: value })
    setWrong({})
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = wrongOf(typed, validFrom, p)
    if (Object.keys(found).length === 0 && Object.keys(fields).length === 0) found.name = p.nothing
    setWrong(found)
    setAsked(Object.keys(found).length === 0)
  }
  const close = () => setAsked(false)
  const what = wordsOf(fields, { ...before }).join('；')
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <p className={styles.detail}>{p.changeWhy}</p>
      <div className={styles.fields}>
        <Field
          label={p.name}
          name="name"
          maxLength={PRODUCT_NAME_MAX}
          value={shown('name')}
          error={wrong.name}
          onChange={set('name')}
        />
        <Field
          label={p.priceYuan}
          name="price"
          inputMode="decimal"
          maxLength={10}
          read={foldDashed}
          value={shown('price')}
          error={wrong.price}
          onChange={set('price')}
        />
        <Field
          label={p.originYuan}
          name="origin_price"
          inputMode="decimal"
          maxLength={10}
          read={foldDashed}
          value={shown('origin_price')}
          error={wrong.origin_price}
          onChange={set('origin_price')}
        />
        <Field
          label={p.label}
          name="discount_label"
          maxLength={LABEL_MAX}
          value={shown('discount_label')}
          onChange={set('discount_label')}
        />
        <Field
          label={p.tip}
          name="buy_tip"
          maxLength={TIP_MAX}
          value={shown('buy_tip')}
          onChange={set('buy_tip')}
        />
        <label className={styles.choice} htmlFor={id}>
          <span>{p.sale}</span>
          <select
            id={id}
            value={shown('on_sale')}
            onChange={(event) => set('on_sale')(event.currentTarget.value)}
          >
            <option value="1">{p.onSale}</option>
            <option value="0">{p.offSale}</option>
          </select>
        </label>
        <Field
          label={p.validFrom}
          name="valid_from"
          type="datetime-local"
          value={when}
          error={wrong.valid_from}
          onChange={(value) => {
            setWhen(value)
            setWrong({})
          }}
        />
      </div>
      <div className={styles.actions}>
        <Button type="submit">{p.submit}</Button>
      </div>
      {isAsked && (
        <ActDialog
          route={changeStaffProduct}
          input={{ product_id: of.id, ...fields, ...(validFrom !== null && { valid_from: validFrom }) }}
          title={p.confirm}
          message={validFrom === null ? p.confirmNow(what) : p.confirmLater(momentLabel(validFrom), what)}
          confirm={p.submit}
          onDone={() => {
            close()
            setTyped({})
            setWhen('')
            onDone()
          }}
          onClose={close}
        />
      )}
    </form>
  )
}

/** A field as the form shows it: sums in yuan. */
function shownOf(product: StaffProduct, field: keyof Typed): string {
  if (field === 'on_sale') return product.on_sale ? '1' : '0'
  const value = product[field]
  return typeof value === 'number' ? yuan(value).slice(1) : value
}

/** What was typed and differs from what the product will be then. */
function changedFields(typed: Typed, before: StaffProduct): Record<string, unknown> {
  const given = {
    ...(typed.name !== undefined && { name: readName(typed.name) }),
    ...(typed.price !== undefined && { price: typedFen(typed.price) }),
    ...(typed.origin_price !== undefined && { origin_price: typedFen(typed.origin_price) }),
    ...(typed.discount_label !== undefined && { discount_label: readWords(typed.discount_label) }),
    ...(typed.buy_tip !== undefined && { buy_tip: readWords(typed.buy_tip) }),
    ...(typed.on_sale !== undefined && { on_sale: typed.on_sale === '1' }),
  }
  return Object.fromEntries(
    Object.entries(given).filter(([field, value]) => value !== before[field as keyof StaffProduct]),
  )
}

function wrongOf(
  typed: Typed,
  validFrom: number | null,
  p: { nameWrong: string; priceWrong: string; originWrong: string; pastWrong: string },
): Wrong {
  const price = typed.price === undefined ? 1 : typedFen(typed.price)
  const origin = typed.origin_price === undefined ? 0 : typedFen(typed.origin_price)
  return {
    ...(typed.name !== undefined && readName(typed.name) === '' && { name: p.nameWrong }),
    ...((price === null || price < 1 || price > PRICE_MAX) && { price: p.priceWrong }),
    ...((origin === null || origin > PRICE_MAX) && { origin_price: p.originWrong }),
    ...(validFrom !== null && !(validFrom > Date.now()) && { valid_from: p.pastWrong }),
  }
}
