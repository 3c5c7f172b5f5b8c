import { Link } from 'react-router'
import { Avatar } from '../../ui/picture/Avatar.tsx'
import { GuildIcon } from '../../ui/picture/GuildIcon.tsx'
import { useMay } from '../self.ts'
import styles from './parts.module.css'

/** A person by picture, name and number; it leads to their page where people may be seen. */
export function NamedPerson(props: {
  id: string
  username: string
  identify_num?: string | undefined
  avatar?: string | undefined
}) {
  const may = useMay()
  const { id, username, identify_num, avatar = '' } = props
  const name = identify_num ? `${username}#${identify_num}` : username
  return (
    <span className={styles.named}>
      <Avatar of={{ id, username, avatar }} size={24} />
      {may('people') ? <Link to={`/staff/people/${id}`}>{name}</Link> : <span>{name}</span>}
    </span>
  )
}

/** A guild by picture and name; it leads to its page where guilds may be seen. */
export function NamedGuild(props: { id: string; name: string; icon?: string | undefined }) {
  const may = useMay()
  const { id, name, icon = '' } = props
  return (
    <span className={styles.named}>
      <GuildIcon id={id} name={name} src={icon} size={24} />
      {may('guild') ? <Link to={`/staff/guilds/${id}`}>{name}</Link> : <span>{name}</span>}
    </span>
  )
}
