import { recall } from '../kit/storage.ts'
import { ask } from './indexedDb.ts'
import type { Outgoing } from './room.ts'

/** What a person has not got rid of yet, and where it belongs. */
export interface Unsent extends Outgoing {
  readonly me: string
  readonly channelId: string
}

/** Where the browser refuses a database (private windows, full disk), what is unsent lives as long as the page. It
 * belongs to a login: the next one does not find it. */
const memory = { login: '', all: new Map<string, Unsent>() }

function inMemory(): Map<string, Unsent> {
  const login = recall('authorization') ?? ''
  if (memory.login !== login) memory.all.clear()
  memory.login = login
  return memory.all
}

/** Keeps an unsent message over a reload. What is under way counts as waiting: whether it got there is not known. */
export async function keep(unsent: Unsent): Promise<void> {
  const kept: Unsent = unsent.state === 'sending' ? { ...unsent, state: 'queued' } : unsent
  if (!(await ask('unsent', 'readwrite', (store) => store.put(kept)))) inMemory().set(kept.nonce, kept)
}

/** Forgets a message that was sent or thrown away. */
export async function forget(nonce: string): Promise<void> {
  inMemory().delete(nonce)
  await ask('unsent', 'readwrite', (store) => store.delete(nonce))
}

/** All that is unsent of a person, in the order of pressing. */
export async function unsentOf(me: string): Promise<Unsent[]> {
  const stored =
    (await ask('unsent', 'readonly', (store) => store.getAll() as IDBRequest<Unsent[]>))?.answer ?? []
  return [...stored, ...inMemory().values()].filter((it) => it.me === me).sort((a, b) => a.at - b.at)
}

/**
 * Runs `work` unless another tab is sending this message right now, or has sent it or thrown it away since.
 * `busy`: ask again later. `gone`: no longer to be sent. Without locks the nonce alone keeps it from being stored twice.
 */
export async function alone(nonce: string, work: () => Promise<void>): Promise<'done' | 'busy' | 'gone'> {
  const run = async () => {
    const found = await ask('unsent', 'readonly', (store) => store.count(nonce))
    if (found?.answer === 0 && !inMemory().has(nonce)) return 'gone' as const
    await work()
    return 'done' as const
  }
  // Older browsers, and pages served over plain HTTP, have none.
  const { locks } = navigator as { readonly locks?: LockManager | null }
  if (!locks) return run()
  return locks.request(`unsent ${nonce}`, { ifAvailable: true }, (lock) => (lock ? run() : ('busy' as const)))
}
