import type { FoundGuild } from '@guildhall/wire/staff/guilds.ts'
import { useText } from '../../kit/i18n.ts'
import styles from '../parts/parts.module.css'
import { Tag } from '../parts/Section.tsx'
import { guildsText } from './guildsText.ts'

const KINDS = { open: 'good', closed: 'bad', deleted: 'plain' } as const

/** How a guild stands. */
export function GuildTags({ of: { state, recommended } }: { of: Pick<FoundGuild, 'state' | 'recommended'> }) {
  const t = useText(guildsText)
  return (
    <span className={styles.tags}>
      <Tag kind={KINDS[state]}>{t[state]}</Tag>
      {recommended && <Tag kind="wait">{t.recommended}</Tag>}
    </span>
  )
}
