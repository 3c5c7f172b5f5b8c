import { Link } from 'react-router'
import { useMay } from '../self.ts'

/** A person by name and id; a link for those who may look people up. */
export function PersonLink({ id, name }: { id: string; name: string }) {
  const words = name === '' ? id : `${name} (${id})`
  return useMay()('people') ? <Link to={`/staff/people/${id}`}>{words}</Link> : <span>{words}</span>
}

/** The same for a guild. */
export function GuildLink({ id, name }: { id: string; name: string }) {
  const words = name === '' ? id : `${name} (${id})`
  return useMay()('guild') ? <Link to={`/staff/guilds/${id}`}>{words}</Link> : <span>{words}</span>
}
