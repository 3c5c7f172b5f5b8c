import { typedFen, yuanOf } from '@guildhall/wire/money.ts'
import { LABEL_MAX, PRODUCT_NAME_MAX, TIP_MAX } from '@guildhall/wire/product/translation.ts'
import { changeStaffProduct, PRICE_MAX, type StaffProduct } from '@guildhall/wire/staff/products.ts'
import { foldDashed, readName, readWords } from '@guildhall/wire/words.ts'
import { useId, useState } from 'react'
import { useText } from '../../kit/i18n.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { ActDialog } from '../parts/ActDialog.tsx'
import styles from '../parts/parts.module.css'
import { momentLabel } from '../parts/Section.tsx'
import { productAt, useFieldWords } from './productParts.tsx'
import { productsText } from './productsText.ts'

/** What somebody has typed; what they did not touch is absent, and stays as it is then. */
interface Typed {
  readonly name?: string
  readonly price?: string
  readonly origin_price?: string
  readonly discount_label?: string
  readonly buy_tip?: string
  readonly en_name?: string
  readonly en_discount_label?: string
  readonly en_buy_tip?: string
  readonly on_sale?: string
}

type Wrong = Partial<Record<keyof Typed | 'valid_from', string>>

/** What is typed of a change of a product, and what is wrong with it. */
function useChange(of: StaffProduct) {
  const p = useText(productsText)
  const [{ typed, when, wrong }, setState] = useState<State>(UNTOUCHED)
  const validFrom = when === '' ? null : Date.parse(when)
  // What is planned until then counts as what it will be.
  const before = productAt(of, validFrom ?? 0)
  const fields = changedFields(typed, before)
  return {
    validFrom,
    before,
    fields,
    when,
    wrong,
    shown: (field: keyof Typed): string => typed[field] ?? shownOf(before, field),
    set: (field: keyof Typed) => (value: string) =>
      setState({ typed: { ...typed, [field]: value }, when, wrong: {} }),
    setWhen: (next: string) => setState({ typed, when: next, wrong: {} }),
    clear: () => setState(UNTOUCHED),
    /** Shows what is wrong. Returns whether nothing is. */
    check() {
      const found = wrongOf(typed, validFrom, p)
      if (Object.keys(found).length === 0 && Object.keys(fields).length === 0) found.name = p.nothing
      setState({ typed, when, wrong: found })
      return Object.keys(found).length === 0
    },
  }
}

interface State {
  readonly typed: Typed
  readonly when: string
  readonly wrong: Wrong
}

const UNTOUCHED: State = { typed: {}, when: '', wrong: {} }

/** A form that changes a product at once or from a moment on. */
export function ChangeForm({ of, onDone }: { of: StaffProduct; onDone: () => void }) {
  const p = useText(productsText)
  const wordsOf = useFieldWords()
  const change = useChange(of)
  const { validFrom, fields, before } = change
  const [isAsked, setAsked] = useState(false)
  const what = wordsOf(fields, { ...before }).join('；')
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        setAsked(change.check())
      }}
      noValidate
    >
      <p className={styles.detail}>{p.changeWhy}</p>
      <ChangeFields change={change} />
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
            setAsked(false)
            change.clear()
            onDone()
          }}
          onClose={() => setAsked(false)}
        />
      )}
    </form>
  )
}

function ChangeFields({ change }: { change: ReturnType<typeof useChange> }) {
  const p = useText(productsText)
  const id = useId()
  const { shown, set, wrong } = change
  const field = (name: keyof Typed) => ({
    name,
    value: shown(name),
    error: wrong[name],
    onChange: set(name),
  })
  const sum = { inputMode: 'decimal', maxLength: 10, read: foldDashed } as const
  return (
    <div className={styles.fields}>
      <Field label={p.name} maxLength={PRODUCT_NAME_MAX} {...field('name')} />
      <Field label={p.priceYuan} {...sum} {...field('price')} />
      <Field label={p.originYuan} {...sum} {...field('origin_price')} />
      <Field label={p.label} maxLength={LABEL_MAX} {...field('discount_label')} />
      <Field label={p.tip} maxLength={TIP_MAX} {...field('buy_tip')} />
      <Field label={p.enName} maxLength={PRODUCT_NAME_MAX} {...field('en_name')} />
      <Field label={p.enLabel} maxLength={LABEL_MAX} {...field('en_discount_label')} />
      <Field label={p.enTip} maxLength={TIP_MAX} {...field('en_buy_tip')} />
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
        value={change.when}
        error={wrong.valid_from}
        onChange={change.setWhen}
      />
    </div>
  )
}

/** A field as the form shows it: sums in yuan. */
function shownOf(product: StaffProduct, field: keyof Typed): string {
  if (field === 'on_sale') return product.on_sale ? '1' : '0'
  const { en } = product.translations
  if (field === 'en_name') return en?.name ?? ''
  if (field === 'en_discount_label') return en?.discount_label ?? ''
  if (field === 'en_buy_tip') return en?.buy_tip ?? ''
  const value = product[field]
  return typeof value === 'number' ? yuanOf(value) : value
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
    ...changedTranslations(typed, before),
  }
  return Object.fromEntries(
    Object.entries(given).filter(([field, value]) => value !== before[field as keyof StaffProduct]),
  )
}

/** What it is called in English, when a word of that differs. */
function changedTranslations(typed: Typed, before: StaffProduct): Partial<StaffProduct> {
  const word = (field: 'en_name' | 'en_discount_label' | 'en_buy_tip') =>
    readWords(typed[field] ?? shownOf(before, field))
  const en = { name: word('en_name'), discount_label: word('en_discount_label'), buy_tip: word('en_buy_tip') }
  const known = { name: '', discount_label: '', buy_tip: '', ...before.translations.en }
  const isSame =
    en.name === known.name && en.discount_label === known.discount_label && en.buy_tip === known.buy_tip
  return isSame ? {} : { translations: { ...before.translations, en } }
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
