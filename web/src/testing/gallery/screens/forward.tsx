/** Sending a message on: recent people, rooms, and a search. */
import { listRooms } from '@guildhall/wire/channel/rooms.ts'
import ForwardSheet from '../../../room/sheet/ForwardSheet.tsx'
import { messageLike } from '../../messages.ts'
import { night } from './guild.ts'
import { chats, friends } from './people.ts'
import { ofRoom } from './room.ts'
import type { Shown } from './screen.ts'

export const forwardScreens: readonly Shown[] = [
  {
    name: 'forward',
    at: '/channels/10/31',
    answer(on) {
      ofRoom(on, night)
      friends(on)
      chats(on)
      on(listRooms, () => [])
    },
    above: () => (
      <ForwardSheet messageIds={[messageLike(1).id]} guildId={night.id} onClose={() => undefined} />
    ),
  },
]
