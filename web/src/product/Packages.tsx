import { fenOfMonth, yuan } from '@guildhall/wire/money.ts'
import type { Product } from '@guildhall/wire/product/product.ts'
import { type ReactNode, useId } from 'react'
import { useText } from '../kit/i18n.ts'
import { text as common } from '../kit/text.ts'
import festive from '../ui/Festive.module.css'
import { GiftIcon } from '../ui/icon/payIcons.tsx'
import { EmptyState } from '../ui/state/EmptyState.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import styles from './Product.module.css'
import { AgreementBox, useAgreement } from './RenewalAgreement.tsx'
import { text } from './text.ts'

/** Packages, one of which is chosen. */
export function Packages(props: {
  items: readonly Product[]
  chosen: Product
  onChoose: (id: number) => void
}) {
  const t = useText(text)
  const name = useId()
  const { items, chosen, onChoose } = props
  return (
    <div>
      <fieldset className={styles.packages}>
        <legend className={styles.legend}>{t.packages}</legend>
        {items.map((item) => (
          <Package
            key={item.id}
            item={item}
            name={name}
            isChosen={item.id === chosen.id}
            onChoose={onChoose}
          />
        ))}
      </fieldset>
      {chosen.buy_tip && <p className={styles.tip}>{chosen.buy_tip}</p>}
    </div>
  )
}

function Package(props: { item: Product; name: string; isChosen: boolean; onChoose: (id: number) => void }) {
  const t = useText(text)
  const { item } = props
  return (
    <label
      className={`${festive.choice} ${styles.package}`}
      data-part="package"
      data-chosen={props.isChosen || undefined}
    >
      <input
        type="radio"
        className="unseen"
        name={props.name}
        value={item.id}
        checked={props.isChosen}
        onChange={() => props.onChoose(item.id)}
      />
      {item.discount_label && <span className={styles.discount}>{item.discount_label}</span>}
      <span className={styles.packageName}>{item.name}</span>
      <span className={styles.price}>{yuan(item.price)}</span>
      {item.days !== undefined && (
        <span className={styles.month}>{t.month(yuan(fenOfMonth(item.price, item.days)))}</span>
      )}
      <span className={styles.before}>
        {item.origin_price > 0 && (
          <>
            <span className="unseen">{t.before}</span> <s>{yuan(item.origin_price)}</s>
          </>
        )}
      </span>
    </label>
  )
}

/** Nothing is on sale. */
export function NoPackages({ icon }: { icon: ReactNode }) {
  const t = useText(text)
  return <EmptyState icon={icon} title={t.none} message={t.noneWhy} />
}

/**
 * The buttons that buy what is chosen, or give it to a friend, which stay in sight. What renews itself is
 * agreed to first, and is no gift.
 */
export function BuyBar(props: {
  label: string
  chosen: Product
  isBusy: boolean
  /** Why the person does not buy it for themselves; it stands in place of the button. */
  refusal?: string | undefined
  onBuy: () => void
  onGive: (product: Product) => void
}) {
  const t = useText(text)
  const { chosen, refusal } = props
  const agreement = useAgreement()
  return (
    <div className={styles.foot}>
      {chosen.period_buy && !refusal && <AgreementBox agreement={agreement} />}
      <div className={styles.actions}>
        {!chosen.period_buy && (
          <button type="button" className={styles.gift} onClick={() => props.onGive(chosen)}>
            <GiftIcon size={20} />
            <span>{t.gift}</span>
          </button>
        )}
        {refusal ? (
          <p className={styles.refusal}>{refusal}</p>
        ) : (
          <button
            type="button"
            className={styles.buy}
            aria-disabled={props.isBusy || undefined}
            onClick={chosen.period_buy && !agreement.isGiven ? agreement.ask : props.onBuy}
          >
            {props.label}
            <span className={styles.buySum}>{yuan(chosen.price)}</span>
          </button>
        )}
      </div>
    </div>
  )
}

/** In the place of the packages, below the title that they will have. */
export function PackagesSkeleton() {
  const t = useText(text)
  const { loading } = useText(common)
  return (
    <div role="status" aria-label={loading}>
      <p className={styles.legend}>{t.packages}</p>
      <div className={styles.packages}>
        {[0, 1, 2].map((at) => (
          <Skeleton key={at} className={styles.blank} />
        ))}
      </div>
    </div>
  )
}
