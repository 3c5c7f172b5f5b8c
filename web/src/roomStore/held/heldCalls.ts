/** Own messages that wait for staff; loaded with the first such message. Decision 82. */
import {
  contentReviewed,
  HELD_ASKED_MAX,
  type HeldState,
  viewHeld,
  withdrawHeld,
} from '@guildhall/wire/screening/screening.ts'
import { CallFailure } from '../../kit/call.ts'
import type { Conversation } from '../conversation.ts'
import type { Room } from '../room.ts'
import type { RoomEvent } from '../roomEvent.ts'
import type { RoomModel } from '../roomModel.ts'
import type { RoomServices } from '../roomServices.ts'
import type { RoomStore } from '../roomStore.ts'

/** The send queue of a room, as far as its held messages need it. */
export interface HeldQueue {
  readonly model: Pick<RoomModel, 'room'>
  readonly dispatch: (event: RoomEvent) => void
  readonly services: Pick<RoomServices, 'call'>
  readonly conversation: Pick<Conversation, 'id'>
}

/**
 * A decision arrived. One that does not fit the contract is skipped. Rooms that are not open ask when they
 * are opened.
 */
export function decided(rooms: RoomStore, received: unknown): void {
  const { success, data } = contentReviewed.body.safeParse(received)
  const room = success && rooms.opened(data.conversation)
  if (room) apply(room.snapshot().room, room.dispatch, data.nonce, data)
}

/**
 * Applies how a message stands to its row. What was decided stays decided. `it` undefined: the server has it
 * no more.
 */
function apply(
  room: Room,
  dispatch: (event: RoomEvent) => void,
  nonce: string,
  it: HeldState | undefined,
): void {
  const state = it?.state
  if (state === 'held' || !room.sendQueue.some((each) => each.nonce === nonce && each.state === 'held'))
    return
  // One that passed is stored: it is in the history, or on its way here.
  if (state === 'passed') dispatch({ type: 'discard', nonce })
  else dispatch({ type: 'sendFailed', nonce, state, why: it?.reason ?? '' })
}

/** Asks how the held messages of a queue stand. Without an answer the next session asks again. */
export async function check({ model, dispatch, services, conversation }: HeldQueue): Promise<void> {
  const held = model.room.sendQueue.filter(({ state }) => state === 'held')
  const nonces = held.map(({ nonce }) => nonce)
  const found = new Map<string, HeldState>()
  try {
    for (let from = 0; from < nonces.length; from += HELD_ASKED_MAX) {
      const asked = nonces.slice(from, from + HELD_ASKED_MAX)
      const { items } = await services.call(viewHeld, { nonces: asked })
      for (const it of items) if (it.conversation === conversation.id) found.set(it.nonce, it)
    }
  } catch (error) {
    if (error instanceof CallFailure) return
    throw error
  }
  for (const nonce of nonces) apply(model.room, dispatch, nonce, found.get(nonce))
}

/** Takes a held or rejected message back and removes it. Returns why that failed, or null. */
export async function takeBack(
  { model, dispatch, services }: HeldQueue,
  nonce: string,
): Promise<CallFailure | null> {
  const isHeld = model.room.sendQueue.some((it) => it.nonce === nonce && it.state === 'held')
  try {
    await services.call(withdrawHeld, { nonce })
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error
    // One that was rejected is gone for its author in any case.
    if (isHeld) return error
  }
  dispatch({ type: 'discard', nonce })
  return null
}
