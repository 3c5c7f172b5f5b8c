import type { Query } from '../../kit/browser/indexedDb.ts'
import type { Outgoing } from '../room.ts'

/** An unsent message with its author and channel. */
export interface Unsent extends Outgoing {
  readonly me: string
  readonly channelId: string
}

/** What the storage needs from the browser. */
export interface SendQueueBrowser {
  readonly query: Query
  /** The token of the login; unsent messages in memory are dropped when it changes. */
  readonly login: () => string | null
  /** Null in older browsers and on pages served over plain HTTP. */
  readonly locks: () => LockManager | null
}

/** Persists unsent messages in the browser's database, so that they outlive a reload. */
export class SendQueueStorage {
  private readonly browser: SendQueueBrowser
  /**
   * Fallback where the browser refuses a database (private windows, full disk): it lives as long as the page.
   */
  private readonly memory = new Map<string, Unsent>()
  private memoryLogin = ''

  constructor(browser: SendQueueBrowser) {
    this.browser = browser
  }

  /** A message that is being sent is saved as queued: its outcome is not known. */
  async save(unsent: Unsent): Promise<void> {
    const saved: Unsent = unsent.state === 'sending' ? { ...unsent, state: 'queued' } : unsent
    if (!(await this.browser.query('unsent', 'readwrite', (store) => store.put(saved))))
      this.currentMemory().set(saved.nonce, saved)
  }

  /** Deletes a message that was sent or discarded. */
  async remove(nonce: string): Promise<void> {
    this.currentMemory().delete(nonce)
    await this.browser.query('unsent', 'readwrite', (store) => store.delete(nonce))
  }

  /** All unsent messages of a user, in the order of sending. */
  async list(me: string): Promise<Unsent[]> {
    const found = await this.browser.query(
      'unsent',
      'readonly',
      (store) => store.getAll() as IDBRequest<Unsent[]>,
    )
    return [...(found?.answer ?? []), ...this.currentMemory().values()]
      .filter((it) => it.me === me)
      .sort((a, b) => a.at - b.at)
  }

  /**
   * Runs `work` unless another tab is sending this message (`busy`: retry later), or has sent or discarded it
   * (`gone`). Without locks only the nonce keeps it from being stored twice.
   */
  async runExclusively(nonce: string, work: () => Promise<void>): Promise<'done' | 'busy' | 'gone'> {
    const run = async () => {
      const found = await this.browser.query('unsent', 'readonly', (store) => store.count(nonce))
      if (found?.answer === 0 && !this.currentMemory().has(nonce)) return 'gone' as const
      await work()
      return 'done' as const
    }
    const locks = this.browser.locks()
    if (!locks) return run()
    return locks.request(`unsent ${nonce}`, { ifAvailable: true }, (lock) => (lock ? run() : 'busy'))
  }

  private currentMemory(): Map<string, Unsent> {
    const login = this.browser.login() ?? ''
    if (this.memoryLogin !== login) this.memory.clear()
    this.memoryLogin = login
    return this.memory
  }
}
