import { yuan } from '@guildhall/wire/money.ts'
import {
  CODE_NOTE_MAX,
  CODES_MAX,
  listCodeProducts,
  listCodes,
  makeCodes,
} from '@guildhall/wire/staff/codes.ts'
import { foldDashed } from '@guildhall/wire/words.ts'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { useText } from '../../kit/i18n.ts'
import { invalidateRoute } from '../../kit/routeQuery.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { ActDialog } from '../parts/ActDialog.tsx'
import { Loaded } from '../parts/Page.tsx'
import styles from '../parts/parts.module.css'
import { Card, SectionPage } from '../parts/Section.tsx'
import { codesText } from './codesText.ts'
import { FreshCodes, type Made } from './FreshCodes.tsx'

type Products = readonly { readonly id: number; readonly name: string; readonly price: number }[]

/** /staff/codes/new: makes a batch. Its codes are shown and exported here, once. */
export function NewBatch() {
  const t = useText(codesText)
  return (
    <Loaded route={listCodeProducts} input={{}} back="/staff/codes">
      {({ items }) => (
        <SectionPage title={t.make} lead={t.lead}>
          <NewBatchForm products={items} />
        </SectionPage>
      )}
    </Loaded>
  )
}

/** A whole number of codes; null: it is none. */
const codesIn = (typed: string): number | null => {
  const n = /^\d{1,5}$/.test(typed) ? Number(typed) : 0
  return n >= 1 && n <= CODES_MAX ? n : null
}

/** What is typed of a batch, and the batch that it is; null: something is wrong with it. */
function useTyped(products: Products) {
  const [typed, setTyped] = useState({ product: '', count: '100', perUser: '1', end: '', note: '' })
  const product = products.find(({ id }) => String(id) === typed.product)
  const [count, perUser] = [codesIn(typed.count), codesIn(typed.perUser)]
  const end = typed.end === '' ? 0 : new Date(typed.end).getTime()
  const isEndWrong = typed.end !== '' && !(end > Date.now())
  const isRight = product && count !== null && perUser !== null && !isEndWrong
  return {
    typed,
    change: (part: Partial<typeof typed>) => setTyped({ ...typed, ...part }),
    wrong: { product: !product, count: count === null, perUser: perUser === null, end: isEndWrong },
    batch: isRight
      ? {
          product,
          input: { product_id: product.id, count, per_user: perUser, expires_at: end, note: typed.note },
        }
      : null,
  }
}

function NewBatchForm({ products }: { products: Products }) {
  const t = useText(codesText)
  const navigate = useNavigate()
  const form = useTyped(products)
  const { batch } = form
  const [isTried, setTried] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const [made, setMade] = useState<Made | null>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (batch) setAsked(true)
  }
  return (
    <Card title={t.form}>
      <form onSubmit={submit} noValidate>
        <BatchFields products={products} form={form} isTried={isTried} />
        <Button type="submit">{t.make}</Button>
      </form>
      {isAsked && batch && (
        <ActDialog
          route={makeCodes}
          input={batch.input}
          title={t.make}
          message={t.makeMessage(batch.input.count, batch.product.name)}
          onDone={({ batch_id, codes }) => {
            setAsked(false)
            setMade({ id: batch_id, codes })
            invalidateRoute(listCodes)
          }}
          onClose={() => setAsked(false)}
        />
      )}
      {made && (
        <FreshCodes made={made} onLeave={() => navigate(`/staff/codes/${made.id}`, { replace: true })} />
      )}
    </Card>
  )
}

/** `isTried`: what is wrong is said. */
function BatchFields(props: { products: Products; form: ReturnType<typeof useTyped>; isTried: boolean }) {
  const t = useText(codesText)
  const { isTried } = props
  const { typed, change, wrong } = props.form
  const number = { inputMode: 'numeric', maxLength: 5, read: foldDashed } as const
  return (
    <div className={styles.grid}>
      <ProductChoice
        products={props.products}
        value={typed.product}
        error={isTried && wrong.product ? t.chooseProduct : ''}
        onChange={(product) => change({ product })}
      />
      <Field
        {...number}
        label={t.count}
        name="count"
        value={typed.count}
        placeholder={t.countHint}
        error={isTried && wrong.count ? t.countWrong : ''}
        onChange={(count) => change({ count })}
      />
      <Field
        {...number}
        label={t.perUser}
        name="per_user"
        value={typed.perUser}
        error={isTried && wrong.perUser ? t.countWrong : ''}
        onChange={(perUser) => change({ perUser })}
      />
      <label className={styles.cell}>
        <span>{`${t.expires} · ${t.expiresHint}`}</span>
        <input
          type="datetime-local"
          value={typed.end}
          aria-invalid={(isTried && wrong.end) || undefined}
          onChange={({ currentTarget: { value } }) => change({ end: value })}
        />
        <small>{isTried && wrong.end ? t.expiresWrong : ''}</small>
      </label>
      <Field
        label={t.note}
        name="note"
        maxLength={CODE_NOTE_MAX}
        value={typed.note}
        placeholder={t.noteHint}
        onChange={(note) => change({ note })}
      />
    </div>
  )
}

function ProductChoice(props: {
  products: Products
  value: string
  error: string
  onChange: (value: string) => void
}) {
  const t = useText(codesText)
  return (
    <label className={styles.cell}>
      <span>{t.product}</span>
      <select
        value={props.value}
        aria-invalid={props.error !== '' || undefined}
        onChange={({ currentTarget: { value } }) => props.onChange(value)}
      >
        <option value="">{t.chooseProduct}</option>
        {props.products.map(({ id, name, price }) => (
          <option key={id} value={id}>
            {`${name} · ${yuan(price)} (${id})`}
          </option>
        ))}
      </select>
      <small>{props.error}</small>
    </label>
  )
}
