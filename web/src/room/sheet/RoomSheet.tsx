import type { ChannelId, GuildId } from '@guildhall/wire/id.ts'
import type { RefObject } from 'react'
import type { ComposerHandle } from '../../composer/Composer.tsx'
import { lazy, Suspense } from '../../kit/lazy/lazy.tsx'
import { loadPart } from '../../kit/lazy/lazyPart.ts'
import type { MessageContext } from '../../message/messageContext.ts'
import { knownPerson } from '../../message/person.ts'
import type { Rights } from '../../message/rights.ts'
import { focusComposer, type OpenRoom } from '../useOpenRoom.ts'

const PersonSheet = lazy(() => loadPart(() => import('../../message/menu/PersonSheet.tsx')))
const PinsSheet = lazy(() => loadPart(() => import('../../message/menu/PinsSheet.tsx')))

/** What is open over a room: its pinned messages, or the card of a person. */
export type OpenSheet = 'pins' | { readonly userId: string }

/** The sheet over a room of a channel. `composer` takes the mention of a person. */
export function RoomSheet(props: {
  open: OpenSheet
  guildId: GuildId
  room: OpenRoom
  context: MessageContext
  rights: Rights
  composer: RefObject<ComposerHandle | null>
  onClose: () => void
}) {
  const { open, room, context, rights, onClose } = props
  return (
    <Suspense>
      {open === 'pins' ? (
        <PinsSheet
          channelId={room.id as ChannelId}
          context={context}
          rights={rights}
          actions={room.actions}
          onJump={(id) => {
            onClose()
            room.list.current?.jumpTo(id)
          }}
          onClose={onClose}
        />
      ) : (
        <PersonSheet
          key={open.userId}
          userId={open.userId}
          known={knownPerson(room.live.room, open.userId)}
          guildId={props.guildId}
          guild={context.guild}
          meId={context.me.id}
          onMention={
            rights.canSend
              ? (person) => {
                  onClose()
                  props.composer.current?.mention(person)
                  focusComposer(room)
                }
              : null
          }
          onClose={onClose}
        />
      )}
    </Suspense>
  )
}
