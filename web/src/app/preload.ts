/** Loads what a route below /channels shows, before it is rendered for the first time. */
import type { Session } from '@guildhall/wire/auth/auth.ts'
import { userState } from '@guildhall/wire/auth/userState.ts'
import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import { listGuilds } from '@guildhall/wire/guild/guild.ts'
import type { ChannelId, GuildId } from '@guildhall/wire/id.ts'
import { listUnread, listWaiting } from '@guildhall/wire/message/readMark.ts'
import type { Route } from '@guildhall/wire/route.ts'
import { saveSession } from '../auth/auth.ts'
import { readStored } from '../kit/browser/storage.ts'
import { isWide } from '../kit/browser/useIsWide.ts'
import { cache, prefetchRoute, queryKeyOf } from '../kit/routeQuery.ts'
import type { RoomController } from '../roomStore/roomController.ts'
import { roomStore } from './composition.ts'
import { restoreAnswers } from './deviceAnswers.ts'

/**
 * The skeleton of the served page waits for the data this long, ms; then the screens show what is missing
 * themselves.
 */
const WAIT_MS = 1_500

/**
 * Resolves when the route can be shown without waiting: with what the device has, or with what the network
 * answers. The answers may have been requested already, see `beforePaint.ts`. `more`: what else the rail
 * shows.
 */
export async function preloadData(pathname: string, more: readonly Route[]): Promise<void> {
  const [, guildId, channelId] = /^\/channels(?:\/(\d+))?(?:\/(\d+))?\/?$/.exec(pathname) ?? []
  const guild = (guildId ?? readStored('last_guild')) as GuildId | null
  const requested = request(guild, (channelId as ChannelId | undefined) ?? null, more)
  const restored = restore(guild, (channelId as ChannelId | undefined) ?? null)
  await Promise.race([
    requested,
    restored.then((isEnough) => (isEnough ? undefined : requested)),
    new Promise((resolve) => setTimeout(resolve, WAIT_MS)),
  ])
}

async function request(
  guildId: GuildId | null,
  channelId: ChannelId | null,
  more: readonly Route[],
): Promise<void> {
  const rail = () => [listGuilds, listWaiting, ...more].map((route) => prefetchRoute(route, {}))
  // At a desk the rail stands beside a room, which does not wait for it.
  if (channelId && isWide()) rail()
  const self = prefetchRoute(userState, {}).then(() => {
    const session = cache.getQueryData<Session>(queryKeyOf(userState, {}))
    if (session) saveSession(session)
  })
  await Promise.all([
    self,
    guildId && prefetchRoute(viewGuild, { id: guildId }),
    guildId && prefetchRoute(listUnread, { guild_id: guildId }),
    ...(channelId ? [asKnown(self).then(() => loadRoom(channelId))] : rail()),
  ])
}

/** A device that knows the user need not wait for the answer; of another user the room is opened again. */
const asKnown = async (self: Promise<void>): Promise<void> => (readStored('auth') ? undefined : self)

/** Loads the newest page of a room, when the user is known. */
async function loadRoom(channelId: ChannelId): Promise<void> {
  const me = readStored('auth')?.id
  if (me !== undefined) await whenLoaded(roomStore.open(channelId, me))
}

function whenLoaded(room: RoomController): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      const { room: it, failure, loading } = room.snapshot()
      if (loading !== null || (!failure && it.resync)) return
      unsubscribe()
      resolve()
    }
    const unsubscribe = room.subscribe(check)
    // It may be loaded already.
    check()
  })
}

async function restore(guildId: GuildId | null, channelId: ChannelId | null): Promise<boolean> {
  const me = readStored('auth')?.id
  if (me === undefined) return false
  const room = channelId ? roomStore.open(channelId, me) : null
  const [isEnough] = await Promise.all([restoreAnswers(guildId), room?.restored])
  return isEnough && (!room || room.snapshot().room.run.length > 0)
}
