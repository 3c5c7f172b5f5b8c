/** What events change in private conversations; loaded with the first of them. */
import {
  type Chat,
  listChats,
  privateDeleted,
  privateReacted,
  privateUnreacted,
  privateUpdated,
  viewChat,
} from '@guildhall/wire/chat/chat.ts'
import { unreadChats } from '@guildhall/wire/chat/page.ts'
import { cache, invalidateRoute, queryKeyOf } from '../kit/routeQuery.ts'
import type { MessageChange, RoomStore } from '../roomStore/roomStore.ts'

/** Messages in quick succession ask for the list once, ms. */
const AGAIN_MS = 250
let isDue = false

/** Something in the list of conversations changed: what is on screen is requested again. */
export function chatsChanged(): void {
  if (isDue) return
  isDue = true
  setTimeout(() => {
    isDue = false
    invalidateRoute(listChats)
    invalidateRoute(unreadChats)
  }, AGAIN_MS)
}

/** A message was received: also from somebody who had blocked the user, and no longer does. */
export function messageReceived(code: string): void {
  chatsChanged()
  const known = cache.getQueryData<Chat>(queryKeyOf(viewChat, { chat_code: code }))
  if (!known?.may_write) invalidateRoute(viewChat)
}

/** Who the other person of a conversation is to the user changed: also whether the two may write. */
export function partnerChanged(): void {
  chatsChanged()
  invalidateRoute(viewChat)
}

/** Somebody joined or left a guild: whether the user may write to them can be different. */
export function memberChanged(userId: string): void {
  const known = cache.getQueriesData<Chat>({ queryKey: [viewChat.method, viewChat.path] })
  if (known.some(([, chat]) => !chat || chat.target_info.id === userId)) invalidateRoute(viewChat)
}

/** The name that a change has in channels, which the rooms know, and its shape. */
const CHANGES = {
  updated_private_message: ['updated_message', privateUpdated],
  deleted_private_message: ['deleted_message', privateDeleted],
  private_added_reaction: ['added_reaction', privateReacted],
  private_deleted_reaction: ['deleted_reaction', privateUnreacted],
} as const

/** Applies the change of a private message to its room. One that does not fit the contract is skipped. */
export function messageChanged(rooms: RoomStore, event: keyof typeof CHANGES, received: unknown): void {
  const [name, kind] = CHANGES[event]
  const parsed = kind.body.safeParse(received)
  if (!parsed.success) return
  const { chat_code: channel_id, ...body } = parsed.data
  const called = 'kmarkdown' in body ? body.kmarkdown.mention_part.map(({ id }) => id) : []
  const mentions = { mention: called, mention_all: false, mention_here: false, mention_roles: [] }
  const change = { name, body: { ...body, ...mentions, channel_id } } as unknown as MessageChange
  rooms.receiveChange(channel_id, change)
  if ('content' in body || 'deleted_at' in body) chatsChanged()
}
