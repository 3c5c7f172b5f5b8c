import { HISTORY_PAGE_SIZE } from '@guildhall/wire/message/limit.ts'
import type { Message } from '@guildhall/wire/message/message.ts'
import { WIRE_VERSION } from '@guildhall/wire/version.ts'
import type { Query } from '../kit/browser/indexedDb.ts'
import type { Room } from './room.ts'

/** The newest messages of a room, as the user saw them last on this device. */
interface SavedPage {
  readonly channelId: string
  readonly me: string
  /** Pages of another version are ignored: messages may have had another shape. */
  readonly version: number
  /** When it was saved, ms since the epoch. */
  readonly at: number
  readonly messages: readonly Message[]
  /** Whether they are all that the room has; absent in pages of earlier builds. */
  readonly atStart?: boolean
}

/** The end of a room: `atStart`: nothing comes before its messages. */
type End = Pick<Room, 'run' | 'atStart'>

/** What the storage needs from the browser. */
export interface PageStorageBrowser {
  readonly query: Query
  /** The id of the user who is logged in; null after a logout. */
  readonly me: () => string | null
  /** The time, ms since the epoch. */
  readonly now: () => number
}

/** Pages of this many rooms are kept. */
const ROOMS_MAX = 30
/** A talking room is saved once in this time and not with each message, ms. */
const DELAY_MS = 1_000

/**
 * Keeps the newest page of each room that was open, so that a room shows something before the network
 * answers. A logout deletes the database (`kit/storage.ts`).
 */
export class PageStorage {
  private readonly browser: PageStorageBrowser
  /** What is to be saved, by channel. */
  private readonly due = new Map<string, End & Pick<SavedPage, 'me'>>()

  constructor(browser: PageStorageBrowser) {
    this.browser = browser
  }

  /** The saved messages of a room, oldest first; none when nothing was saved for this user. */
  async read(me: string, channelId: string): Promise<End> {
    const found = await this.browser.query(
      'pages',
      'readonly',
      (store) => store.get(channelId) as IDBRequest<SavedPage | undefined>,
    )
    const page = found?.answer
    const isUsed = page && page.me === me && page.version === WIRE_VERSION
    return isUsed ? { run: page.messages, atStart: page.atStart ?? false } : { run: [], atStart: false }
  }

  /** Saves the newest of these messages, a second later with what was saved until then. */
  save(me: string, channelId: string, { run, atStart }: End): void {
    const isDue = this.due.has(channelId)
    this.due.set(channelId, { me, run, atStart })
    if (!isDue) setTimeout(() => void this.write(channelId), DELAY_MS)
  }

  private async write(channelId: string): Promise<void> {
    const { me, run, atStart } = this.due.get(channelId)!
    this.due.delete(channelId)
    // The user has logged out meanwhile.
    if (this.browser.me() !== me) return
    const page: SavedPage = {
      channelId,
      me,
      version: WIRE_VERSION,
      at: this.browser.now(),
      messages: run.slice(-HISTORY_PAGE_SIZE),
      atStart: atStart && run.length <= HISTORY_PAGE_SIZE,
    }
    await this.browser.query('pages', 'readwrite', (store) => store.put(page))
    await this.prune()
  }

  /** Deletes the page of a room that the user may no longer see. */
  async remove(channelId: string): Promise<void> {
    await this.browser.query('pages', 'readwrite', (store) => store.delete(channelId))
  }

  private async prune(): Promise<void> {
    const count = await this.browser.query('pages', 'readonly', (store) => store.count())
    if (!count || count.answer <= ROOMS_MAX) return
    const all = await this.browser.query(
      'pages',
      'readonly',
      (store) => store.getAll() as IDBRequest<SavedPage[]>,
    )
    const old = (all?.answer ?? []).toSorted((a, b) => b.at - a.at).slice(ROOMS_MAX)
    for (const { channelId } of old) await this.remove(channelId)
  }
}
