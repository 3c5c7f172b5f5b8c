import { listGuildEmoji } from '@guildhall/wire/emoji/emoji.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import type { Emoji } from '@guildhall/wire/message/message.ts'
import { useEffect, useState } from 'react'
import { useMe } from '../auth/auth.ts'
import { useText } from '../kit/i18n.ts'
import { useRouteQuery } from '../kit/routeQuery.ts'
import { ErrorState } from '../ui/state/ErrorState.tsx'
import { LoadingState } from '../ui/state/LoadingState.tsx'
import { boardText } from './boardText.ts'

export type { FoundEmoji } from './EmojiFinder.tsx'
export { useNamedEmoji } from './useNamedEmoji.ts'

/** Loads the picker and its catalogue, some hundred kilobytes, outside of the room's first load. */
const loadParts = () =>
  Promise.all([
    import('./MemberPicker.tsx'),
    import('./catalogue.ts').then(({ loadCatalogue }) => loadCatalogue()),
  ]).then(([{ default: Picker }, catalogue]) => ({ Picker, catalogue }))

/** Loads what finds emoji elsewhere than in the picker: by name, and those picked last. */
export const loadEmojiFinder = () => import('./EmojiFinder.tsx')

/** In private conversations. */
const NONE: readonly never[] = []

type Parts = Awaited<ReturnType<typeof loadParts>>
let loaded: Parts | null = null

/**
 * Emoji picker for Unicode's and a guild's own emoji; loaded when it is first shown. `onErase`: its delete
 * key was pressed. `onClose`: Escape was pressed.
 */
export function EmojiBoard(props: {
  /** Null: none of a guild. */
  guildId: GuildId | null
  guildName: string
  onPick: (emoji: Emoji) => void
  onErase?: () => void
  onClose?: () => void
}) {
  const t = useText(boardText)
  const own = useRouteQuery(listGuildEmoji, { guild_id: props.guildId as GuildId }, props.guildId !== null)
  const isMember = useMe().is_vip
  const [parts, setParts] = useState<Parts | 'failed' | null>(loaded)
  const isMissing = parts === null
  useEffect(() => {
    if (!isMissing) return
    let isGone = false
    loadParts().then(
      (all) => {
        loaded = all
        if (!isGone) setParts(all)
      },
      () => isGone || setParts('failed'),
    )
    return () => {
      isGone = true
    }
  }, [isMissing])

  if (parts === 'failed') return <ErrorState title={t.failed} onRetry={() => setParts(null)} />
  // The guild's own emoji come first: they must be loaded, or the others would move down under the user's
  // finger.
  if (parts === null || (props.guildId !== null && own.status === 'loading'))
    return <LoadingState message={t.loading} />
  const { Picker, catalogue } = parts
  return (
    <Picker
      catalogue={catalogue}
      own={own.answer?.items ?? (props.guildId === null ? NONE : null)}
      guildName={props.guildName}
      guildId={props.guildId}
      isMember={isMember}
      onPick={props.onPick}
      onErase={props.onErase}
      onClose={props.onClose}
      onRetryOwn={own.refetch}
    />
  )
}
