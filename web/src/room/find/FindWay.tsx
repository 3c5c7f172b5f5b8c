import type { GuildId } from '@guildhall/wire/id.ts'
import { useLocation, useNavigate } from 'react-router'
import { useText } from '../../kit/i18n.ts'
import { lazy, Suspense } from '../../kit/lazy/lazy.tsx'
import { loadPart } from '../../kit/lazy/lazyPart.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { SearchIcon } from '../../ui/icon/searchIcon.tsx'
import { text } from '../text.ts'
import type { OpenRoom } from '../useOpenRoom.ts'

const Find = lazy(() => loadPart(() => import('./Find.tsx')))

export interface FindProps {
  readonly room: OpenRoom
  /** Absent: a private conversation. */
  readonly guildId?: GuildId
}

/** The way to the search in a room, and the search itself, which stands in place of the room's bar. */
export function FindWay(props: FindProps) {
  const t = useText(text)
  const navigate = useNavigate()
  const { search, state } = useLocation()
  return (
    <>
      {/* Back closes it. */}
      <IconButton
        label={t.search}
        onPress={() => void navigate('?search=', { state: { ...state, isFinding: true } })}
      >
        <SearchIcon />
      </IconButton>
      {new URLSearchParams(search).has('search') && (
        <Suspense>
          <Find {...props} />
        </Suspense>
      )}
    </>
  )
}
