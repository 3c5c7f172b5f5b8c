import RoomScreen from '../room/RoomScreen.tsx'
import { sessionOf } from './fixtures.ts'
import { renderAt } from './renderAt.tsx'

/** Renders the room of channel 20, in guild 10. `more`: how its reader differs from that of other tests. */
export const showRoom = (more: Parameters<typeof sessionOf>[0] = {}) =>
  renderAt('/channels/10/20', '/channels/:guildId/:channelId', <RoomScreen />, sessionOf(more).user)
