import type { Quote } from '@guildhall/wire/message/quote.ts'
import { type RefObject, useMemo, useRef, useSyncExternalStore } from 'react'
import { useMe } from '../auth/auth.ts'
import type { UploadedAttachment } from '../composer/attachment/attachments.ts'
import { sendAttachment } from '../composer/attachment/sendAttachment.ts'
import { saveReply } from '../composer/draft/replyDraft.ts'
import { whileVisible } from '../kit/browser/whileVisible.ts'
import type { RoomController } from '../roomStore/roomController.ts'
import type { RoomSnapshot } from '../roomStore/roomModel.ts'
import { useRoomStore } from '../roomStore/roomStoreContext.ts'
import type { ListHandle } from './list/useMessageScroll.ts'
import { useExistingReply } from './useExistingReply.ts'
import { useRoomHeight } from './useRoomHeight.ts'

/** The conversation on screen: of a channel, or of two people. */
export interface OpenRoom {
  /** The id of its channel, or the code of its chat. */
  readonly id: string
  readonly actions: RoomController
  readonly live: RoomSnapshot
  readonly page: RefObject<HTMLDivElement | null>
  readonly list: RefObject<ListHandle | null>
  /** The message that the draft replies to. */
  readonly reply: Quote | null
}

/** Opens a conversation and follows it. */
export function useOpenRoom(id: string): OpenRoom {
  const me = useMe()
  const rooms = useRoomStore()
  const actions = useMemo(() => rooms.open(id, me.id), [rooms, id, me.id])
  const subscribe = useMemo(() => whileVisible(actions.subscribe), [actions])
  const live = useSyncExternalStore(subscribe, actions.snapshot)
  const list = useRef<ListHandle>(null)
  const page = useRef<HTMLDivElement>(null)
  const reply = useExistingReply(id, live.room)
  useRoomHeight(page)
  return { id, actions, live, page, list, reply }
}

/** Nothing of the conversation is loaded. */
export const isBlank = ({ live: { room } }: OpenRoom): boolean =>
  room.run.length === 0 && !room.atStart && !room.historyWindow

/** Focuses the composer after a closing sheet has restored the focus. */
export const focusComposer = ({ page }: OpenRoom): void =>
  void requestAnimationFrame(() =>
    page.current?.querySelector<HTMLElement>('[data-part="composer-input"]')?.focus(),
  )

/** Sends what was written: its text with the reply, or without a text the first file with it. */
export function sendDraft(
  { id, actions, reply, list }: Pick<OpenRoom, 'id' | 'actions' | 'reply' | 'list'>,
  content: string,
  files: readonly UploadedAttachment[],
  names: Readonly<Record<string, string>>,
): void {
  files.forEach((file, at) => {
    sendAttachment(actions, file, content === '' && at === 0 ? (reply ?? undefined) : undefined)
  })
  if (content !== '') actions.send(content, { names, ...(reply && { quote: reply }) })
  saveReply(id, null)
  list.current?.toEnd()
}
