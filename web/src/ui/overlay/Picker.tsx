import { type ReactNode, useDeferredValue, useState } from 'react'
import { useText } from '../../kit/i18n.ts'
import { text as common } from '../../kit/text.ts'
import festive from '../Festive.module.css'
import { Field } from '../form/Field.tsx'
import { TitledPage } from '../page/TitledPage.tsx'
import { EmptyState } from '../state/EmptyState.tsx'
import { ErrorState } from '../state/ErrorState.tsx'
import { Skeleton } from '../state/Skeleton.tsx'
import styles from './Picker.module.css'

/** What is picked from: a row each. */
export interface Pickable {
  readonly key: string
  readonly picture: ReactNode
  readonly name: string
  readonly more: string
  readonly side?: string
  /** Why it cannot be picked. */
  readonly refusal?: string | undefined
}

/**
 * A screen on which one of several is picked, with a search. `search` answers those that fit what was typed;
 * null while they are loaded. `failure`: why they could not be.
 */
export function Picker(props: {
  title: string
  searchLabel: string
  search: (typed: string) => readonly Pickable[] | null
  failure: { readonly title: string; readonly message: string; readonly onRetry: () => void } | null
  empty: { readonly icon: ReactNode; readonly none: string; readonly noMatch: string; readonly why?: string }
  /** The key of the one that is being handed on. */
  busy?: string | null
  onPick: (key: string) => void
  onBack: () => void
}) {
  const { failure, empty } = props
  const [typed, setTyped] = useState('')
  const wanted = useDeferredValue(typed.trim())
  const found = props.search(wanted)
  return (
    <TitledPage title={props.title} onBack={props.onBack}>
      <main className={`${festive.page} ${styles.screen}`}>
        <Field
          label={props.searchLabel}
          name="search"
          type="search"
          inputMode="search"
          autoComplete="off"
          value={typed}
          onChange={setTyped}
        />
        {failure ? (
          <ErrorState {...failure} />
        ) : found === null ? (
          <Loading />
        ) : found.length === 0 ? (
          <EmptyState
            icon={empty.icon}
            title={wanted ? empty.noMatch : empty.none}
            {...(!wanted && empty.why && { message: empty.why })}
          />
        ) : (
          <ul className={styles.list}>
            {found.map((it) => (
              <li key={it.key}>
                <Row item={it} isBusy={props.busy === it.key} onPick={() => props.onPick(it.key)} />
              </li>
            ))}
          </ul>
        )}
      </main>
    </TitledPage>
  )
}

function Row({ item, isBusy, onPick }: { item: Pickable; isBusy: boolean; onPick: () => void }) {
  return (
    <button
      type="button"
      className={styles.row}
      disabled={item.refusal !== undefined}
      aria-disabled={isBusy || undefined}
      onClick={onPick}
    >
      {item.picture}
      <span className={styles.words}>
        <span className={styles.name} data-part="name">
          {item.name}
        </span>
        <span className={styles.more}>{item.more}</span>
      </span>
      {item.refusal !== undefined ? (
        <span className={styles.refusal}>{item.refusal}</span>
      ) : (
        item.side && <span className={styles.side}>{item.side}</span>
      )}
    </button>
  )
}

function Loading() {
  const t = useText(common)
  return (
    <div className={styles.list} role="status" aria-label={t.loading}>
      {[0, 1, 2, 3].map((at) => (
        <div key={at} className={styles.row}>
          <Skeleton width={44} height={44} />
          <span className={styles.words}>
            <Skeleton width={120} />
          </span>
        </div>
      ))}
    </div>
  )
}
