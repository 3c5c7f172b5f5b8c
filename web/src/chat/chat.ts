/** Private conversations of the page: where their rooms' messages are. */
import { loadPart } from '../kit/lazy/lazyPart.ts'
import type { Conversation, RoomServices } from '../roomStore/roomStore.ts'

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
