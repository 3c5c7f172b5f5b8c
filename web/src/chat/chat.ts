/** Private conversations of the page: their rooms' calls, and what changes in their list. */
import {
  type Chat,
  listChats,
  type privateDeleted,
  type privateReacted,
  type privateUpdated,
  viewChat,
} from '@guildhall/wire/chat/chat.ts'
import { unreadChats } from '@guildhall/wire/chat/page.ts'
import type { BodyOf } from '@guildhall/wire/event.ts'
import { loadPart } from '../kit/laterPart.ts'
import { invalidateRoute } from '../kit/routeQuery.ts'
import type { Conversation, MessageChange, RoomServices } from '../roomStore/roomStore.ts'

/** A chat's code has 32 characters, and ids of channels at most 16. */
export const isChatCode = (id: string): boolean => id.length === 32

const calls = () => loadPart(() => import('./chatCalls.ts'))

/** A private conversation; its calls are loaded with the first one. */
export const chatConversation = (code: string, call: RoomServices['call']): Conversation => ({
  id: code,
  isPrivate: true,
  history: async (query) => (await calls()).history(call, code, query),
  send: async (content, nonce) => (await calls()).send(call, code, content, nonce),
  act: async (id, action) => (await calls()).act(call, id, action),
  deleteMessage: async (id) => (await calls()).remove(call, id),
  markRead: async (id) => (await calls()).markRead(call, code, id),
})

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

/** Who the other person of a conversation is to the user changed: also whether the two may write. */
export function partnerChanged(): void {
  chatsChanged()
  invalidateRoute(viewChat)
}

type Changed = BodyOf<typeof privateUpdated> | BodyOf<typeof privateDeleted> | BodyOf<typeof privateReacted>

/** A change of a private message as that of a channel's, which the rooms know. */
export function changeOf(name: MessageChange['name'], body: Changed): MessageChange {
  const { chat_code: channel_id, ...rest } = body
  const called = 'kmarkdown' in body ? body.kmarkdown.mention_part.map(({ id }) => id) : []
  const mentions = { mention: called, mention_all: false, mention_here: false, mention_roles: [] }
  return { name, body: { ...rest, ...mentions, channel_id } } as unknown as MessageChange
}

export type { Chat }
