import { listGuildEmoji } from '@guildhall/wire/emoji/emoji.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import type { Emoji } from '@guildhall/wire/message/message.ts'
import { useEffect, useState } from 'react'
import { useAsk } from '../kit/ask.ts'
import { useText } from '../kit/i18n.ts'
import { ErrorState } from '../ui/ErrorState.tsx'
import { LoadingState } from '../ui/LoadingState.tsx'
import { text } from './text.ts'

export { useNamedEmoji } from './named.ts'

/** The picker and the catalogue it draws: some hundred kilobytes that no room waits for. */
const fetchParts = () =>
  Promise.all([
    import('./EmojiPicker.tsx'),
    import('./catalogue.ts').then(({ loadCatalogue }) => loadCatalogue()),
  ]).then(([{ default: Picker }, catalogue]) => ({ Picker, catalogue }))

type Parts = Awaited<ReturnType<typeof fetchParts>>
let known: Parts | null = null

/**
 * A picker of emoji, unicode's and a guild's own, in whatever room it is given; fetched when it is first drawn.
 * `onErase`: the key that takes the last letter away. `onClose`: Escape was pressed.
 */
export function EmojiBoard(props: {
  guildId: GuildId
  guildName: string
  onPick: (emoji: Emoji) => void
  onErase?: () => void
  onClose?: () => void
}) {
  const t = useText(text)
  const own = useAsk(listGuildEmoji, { guild_id: props.guildId })
  const [parts, setParts] = useState<Parts | 'failed' | null>(known)
  const isMissing = parts === null
  useEffect(() => {
    if (!isMissing) return
    let isGone = false
    fetchParts().then(
      (all) => {
        known = all
        if (!isGone) setParts(all)
      },
      () => isGone || setParts('failed'),
    )
    return () => {
      isGone = true
    }
  }, [isMissing])

  if (parts === 'failed') return <ErrorState title={t.failed} onRetry={() => setParts(null)} />
  // The guild's own come first: what is below them must not move while somebody reaches for it.
  if (parts === null || own.status === 'loading') return <LoadingState message={t.loading} />
  const { Picker, catalogue } = parts
  return (
    <Picker
      catalogue={catalogue}
      own={own.answer?.items ?? null}
      guildName={props.guildName}
      onPick={props.onPick}
      onErase={props.onErase}
      onClose={props.onClose}
      onRetryOwn={own.again}
    />
  )
}
