import { attachmentOf } from '@guildhall/wire/message/attachment.ts'
import { embedsOf } from '@guildhall/wire/message/embed.ts'
import { kindOf } from '@guildhall/wire/message/kind.ts'
import type { Message } from '@guildhall/wire/message/message.ts'
import { useLayoutEffect, useRef } from 'react'
import { notePressed, type RoomPicture, shareRoomPictures } from '../../media/roomPictures.ts'
import { currentMessages } from '../../roomStore/room.ts'
import type { ToolsProps } from './tools.ts'

/** Tells the picture viewer which pictures the room has, and in which message one was pressed. */
export function useSharedPictures(props: ToolsProps): void {
  const { actions, scroller } = props
  const canReply = props.rights.canSend
  const latest = useRef(props)
  latest.current = props
  useLayoutEffect(() => {
    const messages = () => currentMessages(actions.snapshot().room)
    const find = (id: string) => messages().find((it) => it.id === id)
    let of: readonly Message[] | null = null
    let pictures: readonly RoomPicture[] = []
    shareRoomPictures({
      subscribe: actions.subscribe,
      all: () => {
        const now = messages()
        if (now !== of) pictures = now.flatMap(picturesOf)
        of = now
        return pictures
      },
      messageOf: (id) => {
        const message = find(id)
        return message ? senderOf(message) : null
      },
      loadOlder: () => {
        const { room, loading } = actions.snapshot()
        if (loading !== null || (room.historyWindow ?? room).atStart) return false
        actions.loadOlder()
        return true
      },
      reply: canReply
        ? (id) => {
            const message = find(id)
            if (message) latest.current.onReply(message)
          }
        : null,
      forward: (id) => latest.current.onOpen({ id, step: 'forward' }),
    })
    const pressed = ({ target }: Event) => {
      const picture = (target as Element).closest('[data-part=picture],[data-part=card-picture]')
      const row = picture?.closest('[data-index]')?.getAttribute('data-index')
      const at = row ? latest.current.rows[Number(row)] : undefined
      if (at?.kind === 'message' && at.ephemeralTo === undefined) notePressed(at.message.id)
    }
    const list = scroller.current
    list?.addEventListener('click', pressed, { capture: true })
    return () => {
      list?.removeEventListener('click', pressed, { capture: true })
      shareRoomPictures(null)
    }
  }, [actions, scroller, canReply])
}

const senderOf = ({ id, author, create_at }: Message) => ({
  messageId: id,
  author: author.nickname || author.username,
  at: create_at,
})

/** The pictures that a message shows, but for those of cards. */
function picturesOf(message: Message): RoomPicture[] {
  const of = senderOf(message)
  const linked = embedsOf(message.embeds).flatMap((it) =>
    it.type === 'image' ? { ...of, address: it.url, name: '' } : [],
  )
  if (kindOf(message.type, 'specification') !== 'image') return linked
  return [{ ...of, address: message.content, name: attachmentOf(message)?.name ?? '' }, ...linked]
}
