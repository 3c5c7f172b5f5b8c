/**
 * The key by which an order is placed: until the order ended, whoever opens the same purchase again in this
 * tab finds the same order.
 */
import { randomKey } from '../kit/browser/randomKey.ts'
import type { NewOrder } from './lazyPaySheet.ts'

/** The same for this page, where storage is refused. */
const inMemory = new Map<string, string>()

const slotOf = (me: string, { productId, count = 1, guildId, userId }: NewOrder): string =>
  ['order_key', me, productId, count, guildId, userId].join(':')

/** The key of a purchase of a person, the same at each call. */
export function keyOf(me: string, it: NewOrder): string {
  const slot = slotOf(me, it)
  const kept = read(slot)
  if (kept) return kept
  const key = randomKey()
  try {
    sessionStorage.setItem(slot, key)
  } catch {
    inMemory.set(slot, key)
  }
  return key
}

/** The order ended: the next one gets a key of its own. */
export function forgetKey(me: string, it: NewOrder): void {
  const slot = slotOf(me, it)
  inMemory.delete(slot)
  try {
    sessionStorage.removeItem(slot)
  } catch {
    // It was kept in memory alone.
  }
}

function read(slot: string): string | null {
  try {
    return inMemory.get(slot) ?? sessionStorage.getItem(slot)
  } catch {
    return null
  }
}
