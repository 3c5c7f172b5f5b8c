import type { UserId } from '@guildhall/wire/id.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import { changeGuildOwner, findGuildMembers, type StaffGuild } from '@guildhall/wire/staff/guilds.ts'
import { type FormEvent, useState } from 'react'
import { useText } from '../../kit/i18n.ts'
import { useCall } from '../../kit/useCall.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { Avatar } from '../../ui/picture/Avatar.tsx'
import { ActDialog } from '../parts/ActDialog.tsx'
import { Option } from '../parts/Option.tsx'
import styles from '../parts/parts.module.css'
import { guildsText } from './guildsText.ts'

interface Chosen {
  readonly id: UserId
  readonly name: string
}

/** Asks which member owns the guild from now on, and why. */
export function OwnerDialog(props: { guild: StaffGuild; onDone: () => void; onClose: () => void }) {
  const t = useText(guildsText)
  const { guild } = props
  const [chosen, setChosen] = useState<Chosen | null>(null)
  if (!chosen) return <MemberDialog guild={guild} onChoose={setChosen} onClose={props.onClose} />
  return (
    <ActDialog
      key="act"
      route={changeGuildOwner}
      input={{ guild_id: guild.id, user_id: chosen.id }}
      title={t.changeOwner}
      message={t.makeOwnerMessage(chosen.name)}
      confirm={t.makeOwner}
      danger
      onDone={props.onDone}
      onClose={props.onClose}
    />
  )
}

function MemberDialog(props: { guild: StaffGuild; onChoose: (chosen: Chosen) => void; onClose: () => void }) {
  const t = useText(guildsText)
  const { guild } = props
  const [typed, setTyped] = useState('')
  const found = useCall(findGuildMembers)
  const search = async () => {
    if (typed.trim() !== '') await found.run({ guild_id: guild.id, search: typed.trim() })
  }
  const items = found.status === 'done' ? found.answer.items.filter(({ id }) => id !== guild.owner.id) : null
  return (
    <Dialog
      key="member"
      title={t.changeOwner}
      message={t.memberCount}
      confirm={t.find}
      onConfirm={() => void search()}
      onClose={props.onClose}
    >
      <form
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          void search()
        }}
      >
        <Option label={t.findMember} maxLength={50} data-first value={typed} onChange={setTyped} />
      </form>
      {found.failure && (
        <p className={styles.refused} role="alert">
          {found.failure.message}
        </p>
      )}
      {items && <Members items={items} onChoose={props.onChoose} />}
    </Dialog>
  )
}

function Members(props: {
  items: AnswerOf<typeof findGuildMembers>['items']
  onChoose: (chosen: Chosen) => void
}) {
  const t = useText(guildsText)
  return (
    <div role="status">
      {props.items.length === 0 && <p className={styles.note}>{t.noMember}</p>}
      <ul className={styles.picked}>
        {props.items.map(({ id, username, identify_num, avatar, nickname }) => (
          <li key={id}>
            <Avatar of={{ id, username, avatar }} size={32} />
            <span>
              {username}#{identify_num}
              {nickname && nickname !== username && <small> {nickname}</small>}
            </span>
            <Button kind="quiet" onPress={() => props.onChoose({ id, name: `${username}#${identify_num}` })}>
              {t.makeOwner}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}
