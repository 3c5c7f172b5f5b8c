import { userState } from '@guildhall/wire/auth/auth.ts'
import { type EventFrame, SYSTEM_EVENT } from '@guildhall/wire/gateway/frame.ts'
import type { ChannelId } from '@guildhall/wire/id.ts'
import { history, type Message } from '@guildhall/wire/message/message.ts'
import type { Route } from '@guildhall/wire/route.ts'
import { roomStore } from '../app/composition.ts'
import { EventDispatcher } from '../app/events.ts'
import { GatewayClient } from '../gateway/gatewayClient.ts'
import { cache, keyOf } from '../kit/ask.ts'
import { type CallInput, call } from '../kit/call.ts'
import { remember } from '../kit/storage.ts'
import type { RoomController } from '../roomStore/roomController.ts'

/** A page without a screen: its line, its rooms and its kept answers, as the real page has them. */
export interface Life {
  /** Every event its line brought, in order. */
  readonly heard: readonly EventFrame[]
  /** Asks, and keeps the answer as a screen that shows it would. */
  ask<R extends Route>(route: R, input: CallInput<R>): Promise<void>
  /** Opens a room and waits for its messages. */
  open(channelId: ChannelId): Promise<RoomController>
  /** Waits until an event of this name came after the first `before` ones, and no further one for a moment. */
  hears(name: string, before: number): Promise<void>
  /** Applies events the line has brought already once more. */
  again(frames: readonly EventFrame[]): void
  /** What was said to be stale is asked for again, as the screens that show it would, until nothing is. */
  settle(): Promise<void>
  /** Every kept answer beside what the server answers now, by the call. */
  compare(): Promise<{ call: string; kept: unknown; fresh: unknown }[]>
  /** The messages of a room beside the newest page of its history. */
  compareRoom(
    room: RoomController,
    channelId: ChannelId,
  ): Promise<{ kept: readonly Message[]; fresh: Message[] }>
  close(): void
}

const MOMENT_MS = 10

/** Lives a page of whoever has `token`, on the server at `url`. One per process: the page's stores are its own. */
export async function openLife(url: string, token: string): Promise<Life> {
  const asked = globalThis.fetch
  globalThis.fetch = (input, init) => asked(new URL(String(input), url), init)
  // What the page listens to of its browser. Nothing of it happens here.
  const nothing = new EventTarget()
  Object.assign(globalThis, { window: nothing, document: nothing })
  remember('authorization', token)
  const heard: EventFrame[] = []
  const events = new EventDispatcher(roomStore)
  const connection = new GatewayClient({
    onEvent(frame) {
      heard.push(frame)
      events.dispatch(frame)
    },
    onSessionReset: () => events.resetSession(),
  })
  connection.subscribe(() => roomStore.setConnected(connection.status() === 'connected'))

  const questions = new Map<string, { route: Route; input: object }>()
  const closing: (() => void)[] = []
  const until = async (is: () => boolean) => {
    while (!is()) await new Promise((resolve) => setTimeout(resolve, MOMENT_MS))
  }
  const fetchKept = (route: Route, input: object) =>
    cache.fetchQuery({ queryKey: keyOf(route, input), queryFn: () => call(route, input), staleTime: 0 })
  const life: Life = {
    heard,
    async ask(route, input) {
      questions.set(JSON.stringify(keyOf(route, input)), { route, input })
      await fetchKept(route, input)
    },
    async open(channelId) {
      const { user } = cache.getQueryData(keyOf(userState, {})) as { user: { id: string } }
      const room = roomStore.open(channelId, user.id)
      closing.push(room.subscribe(() => undefined))
      await until(() => room.snapshot().room.resync === null)
      return room
    },
    async hears(name, before) {
      const nameOf = ({ d }: EventFrame) => (d.type === SYSTEM_EVENT ? d.extra.type : 'message')
      await until(() => heard.slice(before).some((frame) => nameOf(frame) === name))
      for (let known = -1; known < heard.length; ) {
        known = heard.length
        await new Promise((resolve) => setTimeout(resolve, 5 * MOMENT_MS))
      }
    },
    again(frames) {
      for (const frame of frames) events.dispatch(frame)
    },
    async settle() {
      for (const { route, input } of questions.values())
        if (cache.getQueryState(keyOf(route, input))?.isInvalidated) await fetchKept(route, input)
    },
    async compare() {
      const all = []
      for (const { route, input } of questions.values()) {
        const kept = cache.getQueryData(keyOf(route, input))
        all.push({ call: `${route.method} ${route.path}`, kept, fresh: await call(route, input) })
      }
      return all
    },
    compareRoom: async (room, id) => ({ kept: room.snapshot().room.run, fresh: await call(history, { id }) }),
    close() {
      for (const close of closing) close()
      connection.stop()
      globalThis.fetch = asked
    },
  }
  await fetchKept(userState, {})
  const { gateway_url } = cache.getQueryData(keyOf(userState, {})) as { gateway_url: string }
  connection.start(gateway_url)
  await until(() => connection.status() === 'connected')
  return life
}
