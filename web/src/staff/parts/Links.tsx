import { Link } from 'react-router'
import { useText } from '../../kit/i18n.ts'
import { useMay } from '../self.ts'
import { text } from '../text.ts'

/** A person by name and id; a link for those who may look people up. */
export function PersonLink({ id, name }: { id: string; name: string }) {
  const content = name === '' ? id : `${name} (${id})`
  return useMay()('people') ? <Link to={`/staff/people/${id}`}>{content}</Link> : <span>{content}</span>
}

/** The same for a guild. */
export function GuildLink({ id, name }: { id: string; name: string }) {
  const content = name === '' ? id : `${name} (${id})`
  return useMay()('guild') ? <Link to={`/staff/guilds/${id}`}>{content}</Link> : <span>{content}</span>
}

/** Who of staff did something: a name, or the command line. `isFull`: with the id. */
export function StaffName({ id, name, isFull }: { id: string; name: string; isFull?: boolean }) {
  const t = useText(text)
  if (id === 'operator') return t.operator
  return isFull ? `${name} (${id})` : name || id
}
