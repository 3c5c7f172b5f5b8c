import { decideHeld, type HeldCase, type HeldWhy, listHeld } from '@guildhall/wire/staff/held.ts'
import { useState } from 'react'
import { useText } from '../../kit/i18n.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { ShieldIcon } from '../../ui/icons.tsx'
import { LoadingState } from '../../ui/LoadingState.tsx'
import { heldText } from '../heldText.ts'
import { ActDialog } from '../parts/ActDialog.tsx'
import partStyles from '../parts/parts.module.css'
import { Moment, Tag } from '../parts/Section.tsx'
import { useStaffPages } from '../parts/useStaffPages.ts'
import { text } from '../text.ts'
import styles from './HeldList.module.css'

/** Messages that wait for staff, the oldest first, each with what decides on it. For those with the right `review`. */
export function HeldList() {
  const t = useText(text)
  const h = useText(heldText)
  const rows = useStaffPages(listHeld, {}, ({ id }) => ({ after: Number(id) }))
  const [deciding, setDeciding] = useState<{ readonly it: HeldCase; readonly passed: boolean } | null>(null)
  if (rows.items === null)
    return rows.failure ? (
      <ErrorState title={t.failed} message={rows.failure.message} onRetry={rows.refetch} />
    ) : (
      <LoadingState />
    )
  if (rows.items.length === 0) return <EmptyState icon={<ShieldIcon size={32} />} title={h.empty} />
  const close = () => {
    setDeciding(null)
    // Somebody else may have decided meanwhile.
    rows.refetch()
  }
  return (
    <>
      <ul className={styles.list} aria-label={h.list}>
        {rows.items.map((it) => (
          <li key={it.id} className={styles.case}>
            <HeldMessage it={it} />
            <div className={partStyles.actions}>
              <Button onPress={() => setDeciding({ it, passed: true })}>{h.pass}</Button>
              <Button kind="danger" onPress={() => setDeciding({ it, passed: false })}>
                {h.reject}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {rows.hasMore && (
        <div className={partStyles.more}>
          <Button kind="soft" busy={rows.isLoadingMore} onPress={rows.loadMore}>
            {t.more}
          </Button>
        </div>
      )}
      {deciding && (
        <ActDialog
          route={decideHeld}
          input={{ id: Number(deciding.it.id), passed: deciding.passed }}
          title={deciding.passed ? h.passTitle : h.rejectTitle}
          message={deciding.passed ? h.passWhy : h.rejectWhy}
          confirm={deciding.passed ? h.pass : h.reject}
          danger={!deciding.passed}
          reason="reason"
          onDone={close}
          onClose={close}
        />
      )}
    </>
  )
}

/** Who wants to say what, where, and why it waits. */
function HeldMessage({ it }: { it: HeldCase }) {
  const h = useText(heldText)
  const isFile = it.file_name !== ''
  return (
    <>
      <p className={styles.head}>
        <b>{it.author_name}</b>
        <span>
          {it.channel_id ? h.inChannel(it.guild_name, it.channel_name) : h.toPerson(it.target_name)}
        </span>
        <Moment at={it.created_at} />
      </p>
      <p className={styles.why}>
        {it.why.map((why) => (
          <Tag key={`${why.kind} ${why.text}`} kind="wait">
            {wordsOf(why, h)}
          </Tag>
        ))}
      </p>
      {it.pictures.length > 0 && (
        <p className={styles.pictures}>
          {it.pictures.map((src) => (
            <img key={src} src={src} alt={h.pictureOf(it.author_name)} loading="lazy" />
          ))}
        </p>
      )}
      {isFile ? (
        <p className={styles.content}>{h.file(it.file_name)}</p>
      ) : (
        <p className={styles.content}>{it.content}</p>
      )}
    </>
  )
}

function wordsOf({ kind, text: words }: HeldWhy, h: (typeof heldText)['zh-CN']): string {
  if (kind === 'word') return h.word(words)
  if (kind === 'service') return h.service(words)
  return h[kind]
}
