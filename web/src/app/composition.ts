/** Composition of the page: its one room store and its one gateway connection, wired to each other. */
import type { Route } from '@guildhall/wire/route.ts'
import { clearAttachments } from '../composer/attachments.ts'
import { clearReplies } from '../composer/replyDraft.ts'
import { GatewayClient } from '../gateway/gatewayClient.ts'
import { call, onCallEnd } from '../kit/call.ts'
import { queryDb } from '../kit/indexedDb.ts'
import { loadPart } from '../kit/laterPart.ts'
import { readStored } from '../kit/storage.ts'
import { PageStorage } from '../roomStore/pageStorage.ts'
import { browserServices } from '../roomStore/roomServices.ts'
import { RoomStore } from '../roomStore/roomStore.ts'
import { SendQueueStorage } from '../roomStore/sendQueueStorage.ts'
import { EventDispatcher } from './events.ts'

const isChatCode = (id: string) => /^[0-9a-f]{32}$/.test(id)

/** The code of private conversations is loaded when one is opened. */
const callOfChat = (code: string): typeof call =>
  (async (route: Route, input: unknown) => {
    const { callInChat } = await loadPart(() => import('../chat/chatCalls.ts'))
    return callInChat(code, route, input)
  }) as typeof call

export const roomStore = new RoomStore({
  ...browserServices,
  call,
  callOf: (id) => (isChatCode(id) ? callOfChat(id) : null),
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
  reportSeq: (guildId, seq) => connection.expectSeq(guildId, seq),
})

const events = new EventDispatcher(roomStore)

export const connection = new GatewayClient({
  onEvent: (frame) => events.dispatch(frame),
  onSessionReset: () => events.resetSession(),
})
onCallEnd((isAnswered) => (isAnswered ? connection.noteAnswered() : connection.noteUnanswered()))
connection.subscribe(() => roomStore.setConnected(connection.status() === 'connected'))

/** Drops what the page holds in memory for the user: another one may log in next. */
export function clearUserState(): void {
  roomStore.clear()
  clearAttachments()
  clearReplies()
}
