import { userState } from '@guildhall/wire/auth/userState.ts'
import { type EventFrame, SYSTEM_EVENT } from '@guildhall/wire/gateway/frame.ts'
import type { ChannelId, GuildId } from '@guildhall/wire/id.ts'
import { history, type Message } from '@guildhall/wire/message/message.ts'
import type { Route } from '@guildhall/wire/route.ts'
import { roomStore } from '../app/composition.ts'
import { EventDispatcher } from '../app/events.ts'
import { GatewayClient } from '../gateway/gatewayClient.ts'
import { writeStored } from '../kit/browser/storage.ts'
import { type CallInput, call } from '../kit/call.ts'
import { cache, queryKeyOf } from '../kit/routeQuery.ts'
import { lazyHeldCalls } from '../roomStore/held/lazyHeldCalls.ts'
import type { RoomController } from '../roomStore/roomController.ts'

interface Compared {
  readonly call: string
  readonly cached: unknown
  readonly fresh: unknown
}

/** A page without a screen: its connection, its rooms and its cached answers, as the real page has them. */
export interface HeadlessPage {
  /** Every event received, in order. */
  readonly received: readonly EventFrame[]
  /** Loads an answer into the cache, as a screen that shows it would. */
  query<R extends Route>(route: R, input: CallInput<R>): Promise<void>
  /** Opens a room and waits for its messages. */
  open(channelId: ChannelId): Promise<RoomController>
  /** Shows a guild: its events arrive at once, those of other guilds gathered. */
  view(guildId: GuildId): void
  /** Waits for an event of this name after the first `before` ones, and then until no further one arrives. */
  waitForEvent(name: string, before: number): Promise<void>
  /** Applies events a second time. */
  replay(frames: readonly EventFrame[]): void
  /** Requests outdated answers again, as the screens that show them would, until none is left. */
  refetchInvalidated(): Promise<void>
  /**
   * Every cached answer beside what the server answers now, by call. `known`: what it answered before, where
   * nothing was changed since.
   */
  compare(known?: readonly Compared[]): Promise<Compared[]>
  /** The messages of a room beside the newest page of its history. */
  compareRoom(
    room: RoomController,
    channelId: ChannelId,
  ): Promise<{ cached: readonly Message[]; fresh: Message[] }>
  close(): void
}

const MOMENT_MS = 10
/** Below the limit of a test, which says only that the test took long. */
const LIMIT_MS = 60_000

/**
 * What a page loads with its first connection, or with the first event that needs it. Loaded before, so that
 * what an event changes is changed a moment after it was received, also on a slow machine.
 */
const loadHandlers = () =>
  Promise.all([
    import('../app/whileConnected/activity.ts'),
    import('../auth/change/changedSelf.ts'),
    import('../chat/chatEvents.ts'),
    import('../friend/friend.ts'),
    import('../order/orderChanged.ts'),
    lazyHeldCalls(),
  ])

/**
 * Opens a page for the user of `token`, on the server at `url`. One per process: the page's stores are
 * global.
 */
export async function openHeadlessPage(url: string, token: string): Promise<HeadlessPage> {
  await loadHandlers()
  const originalFetch = globalThis.fetch
  globalThis.fetch = (input, init) => originalFetch(new URL(String(input), url), init)
  // The events of the browser that the page listens to. None is fired here.
  const nothing = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  Object.assign(globalThis, { window: nothing, document: nothing })
  writeStored('authorization', token)
  const received: EventFrame[] = []
  const events = new EventDispatcher(roomStore)
  const connection = new GatewayClient({
    onEvent(frame) {
      received.push(frame)
      events.dispatch(frame)
    },
    onSessionReset: () => events.resetSession(),
  })
  connection.subscribe(() => roomStore.setConnected(connection.status() === 'connected'))

  const queries = new Map<string, { route: Route; input: object }>()
  const closing: (() => void)[] = []
  const nameOf = ({ d }: EventFrame) => (d.type === SYSTEM_EVENT ? d.extra.type : 'message')
  const until = async (what: string, is: () => boolean) => {
    const end = performance.now() + LIMIT_MS
    while (!is()) {
      if (performance.now() > end)
        throw new Error(`${what} did not come; the last events were ${received.slice(-20).map(nameOf)}`)
      await new Promise((resolve) => setTimeout(resolve, MOMENT_MS))
    }
  }
  const fetchCached = (route: Route, input: object) =>
    cache.fetchQuery({ queryKey: queryKeyOf(route, input), queryFn: () => call(route, input), staleTime: 0 })
  const page: HeadlessPage = {
    received,
    async query(route, input) {
      queries.set(JSON.stringify(queryKeyOf(route, input)), { route, input })
      await fetchCached(route, input)
    },
    async open(channelId) {
      const { user } = cache.getQueryData(queryKeyOf(userState, {})) as { user: { id: string } }
      const room = roomStore.open(channelId, user.id)
      closing.push(room.subscribe(() => undefined))
      await until('the newest page of the room', () => room.snapshot().room.resync === null)
      return room
    },
    view: (guildId) => connection.setViewedGuild(guildId),
    async waitForEvent(name, before) {
      await until(name, () => received.slice(before).some((frame) => nameOf(frame) === name))
      for (let known = -1; known < received.length; ) {
        known = received.length
        await new Promise((resolve) => setTimeout(resolve, 5 * MOMENT_MS))
      }
    },
    replay(frames) {
      for (const frame of frames) events.dispatch(frame)
    },
    async refetchInvalidated() {
      for (const { route, input } of queries.values())
        if (cache.getQueryState(queryKeyOf(route, input))?.isInvalidated) await fetchCached(route, input)
    },
    async compare(known) {
      const all: Compared[] = []
      for (const [at, { route, input }] of [...queries.values()].entries()) {
        const cached = cache.getQueryData(queryKeyOf(route, input))
        const fresh = known ? known[at]?.fresh : await call(route, input)
        all.push({ call: `${route.method} ${route.path}`, cached, fresh })
      }
      return all
    },
    compareRoom: async (room, id) => ({
      cached: room.snapshot().room.run,
      fresh: await call(history, { id }),
    }),
    close() {
      for (const close of closing) close()
      connection.stop()
      globalThis.fetch = originalFetch
    },
  }
  await fetchCached(userState, {})
  const { gateway_url } = cache.getQueryData(queryKeyOf(userState, {})) as { gateway_url: string }
  connection.start(gateway_url)
  await until('a connection', () => connection.status() === 'connected')
  return page
}
