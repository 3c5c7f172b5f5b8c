import type { UserId } from '@guildhall/wire/id.ts'
import { type PersonView, viewPerson } from '@guildhall/wire/member/person.ts'
import { type ReactNode, useState } from 'react'
import { useText } from '../../kit/i18n.ts'
import { useRouteQuery } from '../../kit/routeQuery.ts'
import { text as commonText } from '../../kit/text.ts'
import { Button } from '../../ui/Button.tsx'
import { EditIcon, GuildsIcon } from '../../ui/icon/channelIcons.tsx'
import { FriendsIcon, NextIcon } from '../../ui/icon/icons.tsx'
import { Avatar } from '../../ui/picture/Avatar.tsx'
import { GuildIcon } from '../../ui/picture/GuildIcon.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { CommonSheet } from './CommonSheet.tsx'
import { NoteSheet } from './NoteSheet.tsx'
import styles from './PersonMore.module.css'
import { text } from './text.ts'

/** Faces that a row shows of what it leads to. */
const FACES = 3

type Open = 'note' | 'guilds' | 'friends'

/**
 * What the reader noted of somebody, and the guilds and friends they have in common. The rows have their
 * height while they load, so that what stands below them stays.
 */
export function PersonMore({ userId, name }: { userId: string; name: string }) {
  const t = useText(text)
  const tCommon = useText(commonText)
  const person = useRouteQuery(viewPerson, { user_id: userId as UserId })
  const [open, setOpen] = useState<Open | null>(null)
  const { answer, failure } = person
  const close = () => setOpen(null)
  if (failure && !answer)
    return (
      <div className={styles.failed} role="alert">
        <span>{t.failed}</span>
        <Button kind="plain" onPress={person.refetch}>
          {tCommon.retry}
        </Button>
      </div>
    )
  return (
    <div className={styles.rows} aria-busy={!answer}>
      <Row
        icon={<EditIcon />}
        label={answer ? answer.note || t.noteNone : null}
        meaning={answer?.note ? t.note : undefined}
        onPress={() => setOpen('note')}
      />
      <Row
        icon={<GuildsIcon />}
        label={answer ? countOf(answer.guilds.total, t.guilds, t.noGuilds) : null}
        faces={answer?.guilds.items
          .slice(0, FACES)
          .map(({ id, name, icon }) => <GuildIcon key={id} id={id} name={name} src={icon} size={24} />)}
        onPress={answer && answer.guilds.total > 0 ? () => setOpen('guilds') : null}
      />
      <Row
        icon={<FriendsIcon />}
        label={answer ? countOf(answer.friends.total, t.friends, t.noFriends) : null}
        faces={answer?.friends.items.slice(0, FACES).map((it) => <Avatar key={it.id} of={it} size={24} />)}
        onPress={answer && answer.friends.total > 0 ? () => setOpen('friends') : null}
      />
      {answer && open && <Opened open={open} person={answer} userId={userId} name={name} onClose={close} />}
    </div>
  )
}

const countOf = (n: number, some: (n: number) => string, none: string): string => (n === 0 ? none : some(n))

function Opened(props: {
  open: Open
  person: PersonView
  userId: string
  name: string
  onClose: () => void
}) {
  const { open, person, onClose } = props
  if (open === 'note')
    return (
      <NoteSheet userId={props.userId as UserId} name={props.name} note={person.note} onClose={onClose} />
    )
  return <CommonSheet kind={open} person={person} onClose={onClose} />
}

/**
 * `label`: null while it loads; `meaning`: what it is, where it does not say so; `onPress`: null where there
 * is nothing to open.
 */
function Row(props: {
  icon: ReactNode
  label: string | null
  meaning?: string | undefined
  faces?: ReactNode[] | undefined
  onPress: (() => void) | null
}) {
  const { label, faces = [] } = props
  const inside = (
    <>
      {props.icon}
      <span className={styles.label}>
        {props.meaning !== undefined && <span className="unseen">{props.meaning} </span>}
        {label ?? <Skeleton width={140} height={16} />}
      </span>
      {faces.length > 0 && <span className={styles.faces}>{faces}</span>}
    </>
  )
  if (label === null || !props.onPress) return <div className={`${styles.row} ${styles.still}`}>{inside}</div>
  return (
    <button type="button" className={styles.row} onClick={props.onPress}>
      {inside}
      <NextIcon size={20} />
    </button>
  )
}
