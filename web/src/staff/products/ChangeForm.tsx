import { typedFen, yuanOf } from '@guildhall/wire/money.ts'
import { productWordMax } from '@guildhall/wire/product/translation.ts'
import { changeStaffProduct, PRICE_MAX, type StaffProduct } from '@guildhall/wire/staff/products.ts'
import { foldDashed, readName, readWords } from '@guildhall/wire/words.ts'
import { useId, useState } from 'react'
import { useText } from '../../kit/i18n.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { ActDialog } from '../parts/ActDialog.tsx'
import styles from '../parts/parts.module.css'
import { momentLabel } from '../parts/Section.tsx'
import { productAt, useFieldWords, WORDS, type Word } from './productParts.tsx'
import { fieldText, productsText } from './productsText.ts'

type FieldName = 'price' | 'origin_price' | 'on_sale' | Word | `en_${Word}`

/** What somebody has typed; what they did not touch is absent, and stays as it is then. */
type Typed = Readonly<Partial<Record<FieldName, string>>>

type Wrong = Partial<Record<FieldName | 'valid_from', string>>

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
    shown: (field: FieldName): string => typed[field] ?? shownOf(before, field),
    set: (field: FieldName) => (value: string) =>
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
  const names = useText(fieldText)
  const id = useId()
  const { shown, set, wrong } = change
  const field = (name: FieldName) => ({
    name,
    value: shown(name),
    error: wrong[name],
    onChange: set(name),
  })
  const sum = { inputMode: 'decimal', maxLength: 10, read: foldDashed } as const
  return (
    <div className={styles.fields}>
      <Field label={p.name} maxLength={productWordMax.name} {...field('name')} />
      <Field label={p.priceYuan} {...sum} {...field('price')} />
      <Field label={p.originYuan} {...sum} {...field('origin_price')} />
      <Field label={p.label} maxLength={productWordMax.discount_label} {...field('discount_label')} />
      <Field label={p.tip} maxLength={productWordMax.buy_tip} {...field('buy_tip')} />
      {WORDS.map((word) => (
        <Field
          key={word}
          label={p.inEnglish(names[word])}
          maxLength={productWordMax[word]}
          {...field(`en_${word}`)}
        />
      ))}
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
function shownOf(product: StaffProduct, field: FieldName): string {
  if (field === 'on_sale') return product.on_sale ? '1' : '0'
  const word = WORDS.find((it) => field === `en_${it}`)
  if (word) return product.translations.en?.[word] ?? ''
  const value = product[field as 'price' | 'origin_price' | Word]
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
  const known = (word: Word) => shownOf(before, `en_${word}`)
  const en = Object.fromEntries(
    WORDS.map((word) => [word, readWords(typed[`en_${word}`] ?? known(word))]),
  ) as Record<Word, string>
  if (WORDS.every((word) => en[word] === known(word))) return {}
  return { translations: { ...before.translations, en } }
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
