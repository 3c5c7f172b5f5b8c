import { listPrivateReactions } from '@guildhall/wire/chat/chat.ts'
import { REACTORS_MAX } from '@guildhall/wire/message/action.ts'
import type { Emoji, Message } from '@guildhall/wire/message/message.ts'
import { listReactions } from '@guildhall/wire/message/reactors.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import { useEffect, useState } from 'react'
import { useText } from '../../kit/i18n.ts'
import { useRouteQuery } from '../../kit/routeQuery.ts'
import { text as commonText } from '../../kit/text.ts'
import { useMentionTargets } from '../../kmarkdown/mentionTargets.ts'
import { Button } from '../../ui/Button.tsx'
import { Sheet } from '../../ui/overlay/Sheet.tsx'
import { Avatar } from '../../ui/picture/Avatar.tsx'
import { BuffMark } from '../../ui/picture/BuffMark.tsx'
import { EmojiText } from '../../ui/picture/EmojiText.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import reactionStyles from '../Reactions.module.css'
import { EmojiFace } from '../Reactions.tsx'
import { text } from '../text.ts'
import styles from './ReactorsSheet.module.css'
import { sheetText } from './sheetText.ts'

interface ReactorsProps {
  message: Message
  /** The one shown first. */
  emoji: Emoji
  onClose: () => void
}

/** Who reacted to a message, in a sheet. */
export default function ReactorsSheet(props: ReactorsProps) {
  const tRow = useText(text)
  return (
    <Sheet popover="menu" title={tRow.reactions} onClose={props.onClose}>
      <Reactors {...props} />
    </Sheet>
  )
}

/** Who reacted to a message, by emoji. */
export function Reactors(props: ReactorsProps) {
  const { message, onClose } = props
  const t = useText(sheetText)
  const tRow = useText(text)
  const [chosenId, setChosenId] = useState(props.emoji.id)
  const { reactions } = message
  const chosen = reactions.find((it) => it.emoji.id === chosenId)
  return (
    <>
      <ul className={styles.emoji}>
        {reactions.map(({ emoji, count }) => (
          <li key={emoji.id}>
            <button
              type="button"
              className={reactionStyles.reaction}
              aria-pressed={emoji.id === chosenId}
              aria-label={tRow.reaction(emoji.name || emoji.id, count)}
              onClick={() => setChosenId(emoji.id)}
            >
              <span className={reactionStyles.emoji}>
                <EmojiFace emoji={emoji} />
              </span>
              <span>{count}</span>
            </button>
          </li>
        ))}
      </ul>
      <div className={styles.list}>
        {chosen ? (
          <People
            key={chosenId}
            message={message}
            onClose={onClose}
            emoji={chosen.emoji}
            count={chosen.count}
          />
        ) : (
          <p className={styles.note}>{t.reactorsNone}</p>
        )}
      </div>
    </>
  )
}

/** The people of one emoji. */
function People(props: { message: Message; emoji: Emoji; count: number; onClose: () => void }) {
  const { message, emoji, count, onClose } = props
  const t = useText(sheetText)
  const tCommon = useText(commonText)
  const people = useRouteQuery(message.guild_id === '' ? listPrivateReactions : listReactions, {
    msg_id: message.id,
    emoji: emoji.id,
  })
  // Somebody reacted, or took it back, since the answer.
  const isOutdated = people.answer !== null && people.answer.length !== Math.min(count, REACTORS_MAX)
  const { refetch } = people
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each count
  useEffect(() => {
    if (isOutdated) refetch()
  }, [count])
  if (people.status === 'failed')
    return (
      <div className={styles.note} role="alert">
        {t.reactorsFailed}
        <Button kind="plain" onPress={refetch}>
          {tCommon.retry}
        </Button>
      </div>
    )
  if (people.status === 'loading') return <PeopleSkeleton count={Math.min(count, 4)} />
  const more = count - people.answer.length
  return (
    <ul>
      {people.answer.map((person) => (
        <li key={person.id}>
          <PersonRow person={person} onClose={onClose} />
        </li>
      ))}
      {more > 0 && people.answer.length > 0 && <li className={styles.note}>{t.reactorsMore(more)}</li>}
    </ul>
  )
}

function PeopleSkeleton({ count }: { count: number }) {
  const tCommon = useText(commonText)
  return (
    <div role="status" aria-label={tCommon.loading}>
      {Array.from({ length: count }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders never move
        <div key={row} className={styles.person}>
          <Skeleton className={styles.face} />
          <Skeleton width={96} height={14} />
        </div>
      ))}
    </div>
  )
}

/** A person who reacted; a tap shows their card in place of the sheet. */
function PersonRow(props: { person: AnswerOf<typeof listReactions>[number]; onClose: () => void }) {
  const { id, nickname, username, is_vip } = props.person
  const targets = useMentionTargets()
  const name = nickname || username
  return (
    <button
      type="button"
      className={styles.person}
      data-part="reactor"
      onClick={() => {
        props.onClose()
        targets?.openPerson(id)
      }}
    >
      <Avatar of={props.person} size={36} />
      <span className="named">
        <span className={styles.name}>
          <EmojiText>{name}</EmojiText>
        </span>
        {is_vip && <BuffMark />}
      </span>
    </button>
  )
}
