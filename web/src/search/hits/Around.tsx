import { chatHistory } from '@guildhall/wire/chat/page.ts'
import type { ChannelId } from '@guildhall/wire/id.ts'
import { history, type Message, namesPartOf } from '@guildhall/wire/message/message.ts'
import { useMemo } from 'react'
import { Link } from 'react-router'
import type { CallFailure } from '../../kit/call.ts'
import { clockLabel, sameDay, timeLabel } from '../../kit/format/time.ts'
import { useLocale, useText } from '../../kit/i18n.ts'
import { useRouteQuery } from '../../kit/routeQuery.ts'
import { text as general } from '../../kit/text.ts'
import { namesIn } from '../../kmarkdown/kmarkdown.ts'
import { useMessageLine } from '../../message/message.ts'
import { Button } from '../../ui/Button.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import styles from '../SearchScreen.module.css'
import { isOfChat, wayTo } from './hit.ts'
import { hitsText } from './hitsText.ts'
import type { Hit } from './useHits.ts'

/** What of a message of a channel or of a private chat is shown beside a hit. */
type Near = Pick<Message, 'id' | 'type' | 'content' | 'create_at' | 'author' | 'kmarkdown'>

/** The messages right before and after a hit, each of which leads to its room. */
export function Around({ hit, onOpen }: { hit: Hit; onOpen: () => void }) {
  const t = useText(hitsText)
  const tGeneral = useText(general)
  const { answer, failure, refetch } = useNear(hit)
  if (failure)
    return (
      <div className={styles.around} role="alert">
        <span className={styles.aroundWords}>{failure.message}</span>
        <Button kind="quiet" onPress={refetch}>
          {tGeneral.retry}
        </Button>
      </div>
    )
  if (!answer)
    return (
      <div className={styles.around} role="status" aria-label={t.loading}>
        <NearSkeleton />
        <NearSkeleton />
      </div>
    )
  const at = answer.findIndex(({ id }) => id === hit.message.id)
  const [before, after] = [answer[at - 1], answer[at + 1]]
  if (!before && !after) return <p className={styles.around}>{t.alone}</p>
  return (
    <ul className={styles.around}>
      {before && <NearRow label={t.earlier} message={before} hit={hit} onOpen={onOpen} />}
      {after && <NearRow label={t.later} message={after} hit={hit} onOpen={onOpen} />}
    </ul>
  )
}

interface NearQuery {
  readonly answer: readonly Near[] | null
  readonly failure: CallFailure | null
  readonly refetch: () => void
}

/** The hit with the one before and the one after it, as far as there are any. */
function useNear(hit: Hit): NearQuery {
  const page = { msgid: hit.message.id, flag: 'around', page_size: 3 } as const
  const code = isOfChat(hit) ? hit.chat.code : ''
  const id = isOfChat(hit) ? ('' as ChannelId) : hit.channel.id
  const inChannel = useRouteQuery(history, { id, ...page }, code === '')
  const inChat = useRouteQuery(chatHistory, { code, ...page }, code !== '')
  return code === '' ? inChannel : inChat
}

function NearRow(props: { label: string; message: Near; hit: Hit; onOpen: () => void }) {
  const { message, hit } = props
  const locale = useLocale()
  const { author, create_at: at, kmarkdown } = message
  const names = useMemo(() => namesIn(namesPartOf(kmarkdown), null, locale), [kmarkdown, locale])
  const line = useMessageLine(message, names)
  return (
    <li>
      <Link className={styles.near} data-part="near" {...wayTo(hit, message.id)} onClick={props.onOpen}>
        <span className={styles.nearLabel}>{props.label}</span>
        <span className={styles.aroundWords}>
          <b className={styles.name}>{author.nickname || author.username}</b> {line}
        </span>
        <time className={styles.time} dateTime={new Date(at).toISOString()}>
          {sameDay(at, hit.message.create_at) ? clockLabel(at, locale) : timeLabel(at, Date.now(), locale)}
        </time>
      </Link>
    </li>
  )
}

const NearSkeleton = () => (
  <div className={styles.near}>
    <Skeleton width="60%" height={14} />
  </div>
)
