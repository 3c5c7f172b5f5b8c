/** The calls about own messages that wait for staff; loaded with the first such message. Decision 82. */
import {
  HELD_ASKED_MAX,
  type HeldState,
  viewHeld,
  withdrawHeld,
} from '@guildhall/wire/screening/screening.ts'
import type { RoomServices } from './roomServices.ts'

type Call = RoomServices['call']

/** How held messages of one conversation stand, by nonce; those that the server does not know any more are missing. @throws CallFailure */
export async function statesOf(
  call: Call,
  conversation: string,
  nonces: readonly string[],
): Promise<ReadonlyMap<string, HeldState>> {
  const found = new Map<string, HeldState>()
  for (let from = 0; from < nonces.length; from += HELD_ASKED_MAX) {
    const { items } = await call(viewHeld, { nonces: nonces.slice(from, from + HELD_ASKED_MAX) })
    for (const it of items) if (it.conversation === conversation) found.set(it.nonce, it)
  }
  return found
}

/** Takes a held message back. @throws CallFailure */
export const withdraw = (call: Call, nonce: string): Promise<unknown> => call(withdrawHeld, { nonce })
