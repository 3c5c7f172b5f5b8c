import type { ReactNode } from 'react'
import { useText } from '../../kit/i18n.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { LoadingState } from '../../ui/state/LoadingState.tsx'
import { NoMatchDrawing } from '../drawings.tsx'
import { text } from '../text.ts'
import styles from './parts.module.css'
import type { StaffPages } from './useStaffPages.ts'

export interface Column<Row> {
  /** No two of a table have the same. */
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  /** Numbers and sums stand at the right. */
  readonly isNumber?: boolean
}

/** What a list without rows says: what that means, and what to do about it. */
export interface Empty {
  readonly icon: ReactNode
  readonly title: string
  readonly message?: string
  readonly action?: ReactNode
}

/**
 * A table of rows that are loaded page by page, with what it shows while it has none. On a phone each row is
 * a card in which the titles stand beside the cells. `caption`: what it lists, for screen readers.
 */
export function DataTable<Row>(props: {
  caption: string
  columns: readonly Column<Row>[]
  rows: StaffPages<Row>
  keyOf: (row: Row) => string
  /** In place of "nothing found", which is for searches. */
  empty?: Empty | undefined
}) {
  const { columns, rows } = props
  const t = useText(text)
  if (rows.items === null)
    return rows.failure ? (
      <ErrorState title={t.failed} message={rows.failure.message} onRetry={rows.refetch} />
    ) : (
      <LoadingState />
    )
  if (rows.items.length === 0)
    return (
      <EmptyState
        {...(props.empty ?? {
          icon: <NoMatchDrawing />,
          title: t.nothing,
          message: t.nothingWhy,
        })}
      />
    )
  return (
    <>
      <div className={styles.scroll}>
        <table className={styles.table}>
          <caption className={styles.caption}>{props.caption}</caption>
          <thead>
            <tr>
              {columns.map(({ title, isNumber }) => (
                <th key={title} scope="col" data-number={isNumber || undefined}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.items.map((row) => (
              <tr key={props.keyOf(row)}>
                {columns.map(({ title, cell, isNumber }) => (
                  <td key={title} data-title={title} data-number={isNumber || undefined}>
                    {cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.failure && <p className={styles.refused}>{rows.failure.message}</p>}
      {rows.hasMore && (
        <div className={styles.more}>
          <Button kind="soft" busy={rows.isLoadingMore} onPress={rows.loadMore}>
            {t.more}
          </Button>
        </div>
      )}
    </>
  )
}
