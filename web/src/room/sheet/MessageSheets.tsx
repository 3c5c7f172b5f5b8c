import type { Guild } from '@guildhall/wire/channel/channel.ts'
import type { Message } from '@guildhall/wire/message/message.ts'
import { useState } from 'react'
import { lazy, Suspense } from '../../kit/lazy/lazy.tsx'
import { loadPart } from '../../kit/lazy/lazyPart.ts'
import { MessageMenu } from '../../message/menu/MessageMenu.tsx'
import type { Rights } from '../../message/rights.ts'
import type { RoomController } from '../../roomStore/roomController.ts'

const ForwardSheet = lazy(() => loadPart(() => import('./ForwardSheet.tsx')))

/** The menu of a message, and the sheet that forwards it. */
export function MessageSheets(props: {
  message: Message
  /** Where it opens, in place of the menu. */
  first?: 'emoji' | 'forward' | undefined
  at: Element | undefined
  isEphemeral: boolean
  rights: Rights
  guild: Guild | null
  actions: RoomController
  onReply: () => void
  onEdit: () => void
  onChoose: () => void
  onShowReactors: () => void
  onClose: () => void
}) {
  const [step, setStep] = useState<'menu' | 'emoji' | 'forward'>(props.first ?? 'menu')
  const { id, guild_id, channel_id } = props.message
  if (step === 'forward')
    return (
      <Suspense>
        <ForwardSheet
          messageIds={[id]}
          guildId={guild_id || null}
          {...(guild_id === '' && { chatCode: channel_id })}
          onClose={props.onClose}
        />
      </Suspense>
    )
  return <MessageMenu {...props} isEmojiOpen={step === 'emoji'} onForward={() => setStep('forward')} />
}
