/** Composition of the page: its one room store and its one gateway connection, wired to each other. */
import type { EventFrame } from '@guildhall/wire/gateway/frame.ts'
import { chatConversation, isChatCode } from '../chat/chat.ts'
import { clearAttachments } from '../composer/attachment/attachments.ts'
import { clearReplies } from '../composer/draft/replyDraft.ts'
import { GatewayClient, runGuarded } from '../gateway/gatewayClient.ts'
import { noteConnected } from '../gateway/whenConnected.ts'
import { queryDb } from '../kit/browser/indexedDb.ts'
import { readStored } from '../kit/browser/storage.ts'
import { call, onCallEnd } from '../kit/call.ts'
import { loadPart } from '../kit/lazy/lazyPart.ts'
import { channelConversation } from '../roomStore/conversation.ts'
import { PageStorage } from '../roomStore/pageStorage.ts'
import { browserServices } from '../roomStore/roomServices.ts'
import { RoomStore } from '../roomStore/roomStore.ts'
import { SendQueueStorage } from '../roomStore/sendQueue/sendQueueStorage.ts'
import { left } from '../ui/page/useEntrance.ts'
import { announce, EventDispatcher } from './events.ts'
import { createPace } from './pace.ts'

export const roomStore = new RoomStore({
  ...browserServices,
  call,
  conversationOf: (id, call) => (isChatCode(id) ? chatConversation(id, call) : channelConversation(id, call)),
  storage: new SendQueueStorage({
    query: queryDb,
    login: () => readStored('authorization'),
    locks: () => (navigator as { readonly locks?: LockManager | null }).locks ?? null,
  }),
  pages: new PageStorage({
    query: queryDb,
    me: () => readStored('auth')?.id ?? null,
    now: browserServices.now,
  }),
  // Private conversations number their messages by themselves: the connection proves nothing by them.
  reportSeq: (guildId, seq) => void (guildId !== '' && connection.expectSeq(guildId, seq)),
})

const events = new EventDispatcher(roomStore)
const pace = createPace((frame: EventFrame) => runGuarded(() => events.apply(frame)))

export const connection = new GatewayClient({
  onEvent: (frame) => {
    // First: an error of those to whom it is announced must not keep it from the rooms.
    pace.add(frame)
    announce(frame)
  },
  onSessionReset: () => {
    pace.flush()
    events.resetSession()
  },
})
onCallEnd((isAnswered) => (isAnswered ? connection.noteAnswered() : connection.noteUnanswered()))
connection.subscribe(() => {
  const isConnected = connection.status() === 'connected'
  roomStore.setConnected(isConnected)
  noteConnected(isConnected)
  if (isConnected) void loadPart(() => import('./whileConnected/whileConnected.ts'))
})

/** Drops what the page holds in memory for the user: another one may log in next. */
export function clearUserState(): void {
  pace.clear()
  roomStore.clear()
  clearAttachments()
  clearReplies()
  left.list = undefined
}
