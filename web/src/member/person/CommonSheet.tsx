import type { PersonView } from '@guildhall/wire/member/person.ts'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useText } from '../../kit/i18n.ts'
import { paths } from '../../kit/paths.ts'
import { NextIcon } from '../../ui/icon/icons.tsx'
import { Sheet } from '../../ui/overlay/Sheet.tsx'
import { Avatar } from '../../ui/picture/Avatar.tsx'
import { BuffMark } from '../../ui/picture/BuffMark.tsx'
import { GuildIcon } from '../../ui/picture/GuildIcon.tsx'
import styles from './PersonMore.module.css'
import { text } from './text.ts'

/** The guilds, or friends, that two people have in common; each leads there. */
export function CommonSheet(props: { kind: 'guilds' | 'friends'; person: PersonView; onClose: () => void }) {
  const { kind, person } = props
  const t = useText(text)
  const { total } = person[kind]
  const rows =
    kind === 'guilds'
      ? person.guilds.items.map(({ id, name, icon }) => (
          <Row key={id} to={paths.guild(id)} name={name}>
            <GuildIcon id={id} name={name} src={icon} size={40} />
          </Row>
        ))
      : person.friends.items.map((it) => (
          <Row key={it.id} to={paths.chatWith(it.id)} name={it.username} isVip={it.is_vip}>
            <Avatar of={it} size={40} />
          </Row>
        ))
  return (
    <Sheet
      popover="menu"
      title={kind === 'guilds' ? t.guilds(total) : t.friends(total)}
      onClose={props.onClose}
    >
      <ul className={styles.rows}>{rows}</ul>
      {total > rows.length && <p className={styles.more}>{t.more(total - rows.length)}</p>}
    </Sheet>
  )
}

function Row(props: { to: string; name: string; isVip?: boolean; children: ReactNode }) {
  return (
    <li>
      <Link className={styles.row} to={props.to}>
        {props.children}
        <span className={`named ${styles.label}`}>
          {props.name}
          {props.isVip && <BuffMark />}
        </span>
        <NextIcon size={20} />
      </Link>
    </li>
  )
}
