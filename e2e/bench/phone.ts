// The phone benchmark: what a phone of 390x844 with an eighth of this machine's speed does in a room: opening
// one from the list, writing, sending, scrolling, emoji, much talk, and a day on the table. PHONE_ONLY runs
// some of its parts: switch, hands, talk, alone.
import { measureAlone } from './alone.ts'
import { measureHands } from './hands.ts'
import { type Figures, withMeasured } from './measured.ts'
import { openRooms } from './rooms.ts'
import { measureSwitch } from './switch.ts'
import { measureTalk } from './talk.ts'

const ONLY = process.env.PHONE_ONLY

/** Everything in 40 minutes, of which half are the conversation and the lonely room. */
export async function run(_isShort: boolean, figures: Figures): Promise<void> {
  const parts = { switch: measureSwitch, hands: measureHands, talk: measureTalk, alone: measureAlone }
  await withMeasured(async (all) => {
    const rooms = await openRooms(all)
    for (const [name, measure] of Object.entries(parts))
      if (!ONLY || ONLY.split(',').includes(name)) await measure(rooms, figures)
  })
}
