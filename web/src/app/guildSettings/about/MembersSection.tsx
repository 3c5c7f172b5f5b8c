import type { Guild } from '@guildhall/wire/channel/channel.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { ALL } from '../../../member/settings/MemberFilters.tsx'
import { MembersSettings } from '../../../member/settings/MembersSettings.tsx'
import { AboutMember } from './AboutMember.tsx'

/** The members of a guild, and with `member` in the query what moderators know of one. */
export default function MembersSection({ guild }: { guild: Guild }) {
  const [query] = useSearchParams()
  // The way back leads to the list as it was filtered.
  const [filter, setFilter] = useState(ALL)
  const chosen = query.get('member') as UserId | null
  if (chosen === null) return <MembersSettings guild={guild} filter={filter} onFilter={setFilter} />
  return <AboutMember key={chosen} guild={guild} userId={chosen} />
}
