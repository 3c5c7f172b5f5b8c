/**
 * Link previews: embeds for the addresses in a message, fetched in the background after it was sent.
 * protocol.md §6.4.
 */

import type { MessageId, UserId } from '@guildhall/wire/id.ts'
import { type KmNode, parse } from '@guildhall/wire/kmarkdown/kmarkdown.ts'
import { embedsAppended } from '@guildhall/wire/message/action.ts'
import type { Embed } from '@guildhall/wire/message/embed.ts'
import type { MessageKind } from '@guildhall/wire/message/kind.ts'
import { MINUTE_MS } from '@guildhall/wire/unit.ts'
import {
  type Assets,
  FETCHED_PICTURE_MAX,
  FETCHES_PER_PERSON,
  PICTURES_ACCEPTED,
  useInPreviews,
} from '../../asset/asset.ts'
import { clock } from '../../kit/clock.ts'
import { type AppContext, commit } from '../../kit/events/events.ts'
import { consumeAttempt } from '../../kit/limits/rateLimitDatabase.ts'
import type { Log } from '../../kit/log.ts'
import { isAllowed } from '../../kit/screening.ts'
import { type SafeFetch, Unreachable } from '../../outside/safeFetch.ts'
import { videoOf } from '../media/video.ts'
import { embed } from '../sql/embed.ts'
import { lockMessage } from '../sql/message.ts'
import { isPage, type Page, readPage } from './pageHead.ts'

/** Addresses of one message that are previewed, the first ones. */
const ADDRESSES_MAX = 3
/** How long a preview is cached, and how many are. */
const CACHED_FOR_MS = 5 * MINUTE_MS
const CACHE_MAX = 500
/** Messages previewed at once; further ones get no preview. */
const RUNNING_MAX = 500
/** The longer side of a picture whose address is in a message, and of a page's own picture, px. */
const PICTURE_SIDE = 2_048
const THUMBNAIL_SIDE = 800

const ACCEPTED = `text/html,application/xhtml+xml,${PICTURES_ACCEPTED};q=0.8`

/** A message with the content whose addresses are previewed. */
export interface EditedMessage {
  readonly id: MessageId
  readonly kind: MessageKind | null
  readonly authorId: UserId
  readonly content: string
}

export interface LinkPreviews {
  /**
   * Previews the addresses in a message that was just sent or edited. Returns at once. `origin`: the public
   * address of the server.
   */
  schedule(message: EditedMessage, origin: string): void
  /** Resolves when no preview is running. */
  settled(): Promise<void>
}

/** `isFinal`: another fetch soon would find the same. */
interface PreviewResult {
  readonly embed: Embed | null
  readonly isFinal: boolean
}

/**
 * The addresses of a text that are shown as such: typed bare, or as a link whose text is its address. Each
 * once, in their order, without those in code or spoilers.
 */
export function bareAddresses(nodes: readonly KmNode[]): string[] {
  const found = new Set<string>()
  const walk = (node: KmNode): void => {
    if (node.type === 'text' || !('children' in node) || node.tagName === 'spl') return
    if (node.tagName !== 'a') return node.children.forEach(walk)
    const [label, ...more] = node.children
    if (label?.type === 'text' && label.content === node.href && more.length === 0) found.add(node.href)
  }
  nodes.forEach(walk)
  return [...found]
}

const hostOf = (address: string): string | null => (URL.canParse(address) ? new URL(address).host : null)

interface PreviewDeps {
  readonly appContext: AppContext
  readonly assets: Pick<Assets, 'receive' | 'storeFetched' | 'fetchPicture'>
  /** Null: nothing is previewed. */
  readonly safeFetch: SafeFetch | null
  /** The server's own addresses, which are not previewed. */
  readonly ownUrls: readonly string[]
  readonly log: Log
}

export function openLinkPreviews(deps: PreviewDeps): LinkPreviews {
  const { safeFetch } = deps
  if (!safeFetch) return { schedule: () => undefined, settled: async () => undefined }
  const previewer = new Previewer(deps, safeFetch)
  return {
    schedule: (it, origin) => previewer.schedule(it, origin),
    settled: () => previewer.settled(),
  }
}

class Previewer {
  readonly #deps: PreviewDeps
  readonly #safeFetch: SafeFetch
  /** Results by origin and address, the oldest first. */
  readonly #cache = new Map<string, { readonly until: number; readonly result: Promise<PreviewResult> }>()
  readonly #running = new Set<Promise<void>>()

  constructor(deps: PreviewDeps, safeFetch: SafeFetch) {
    this.#deps = deps
    this.#safeFetch = safeFetch
  }

  schedule(message: EditedMessage, origin: string): void {
    // Most messages have no address in them and need not be parsed again.
    if (message.kind !== 'kmarkdown' || !/https?:\/\//i.test(message.content)) return
    if (this.#running.size >= RUNNING_MAX) return
    // Hosts are compared without the scheme: http and https lead to the same server.
    const own = [...this.#deps.ownUrls, origin].map(hostOf)
    const addresses = bareAddresses(parse(message.content))
      .filter((each) => URL.canParse(each) && !own.includes(hostOf(each)))
      .slice(0, ADDRESSES_MAX)
    if (addresses.length === 0) return
    const run = this.#addEmbeds(message, addresses, origin)
      .catch((error: unknown) =>
        this.#deps.log.warn({ err: error }, 'a message goes without what its addresses lead to'),
      )
      .finally(() => this.#running.delete(run))
    this.#running.add(run)
  }

  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  async #addEmbeds(message: EditedMessage, addresses: readonly string[], origin: string): Promise<void> {
    const results = await Promise.all(addresses.map((each) => this.#cached(message.authorId, each, origin)))
    const embeds = results.flatMap(({ embed }) => embed ?? [])
    if (embeds.length === 0) return
    await commit(this.#deps.appContext, async (tx, emit) => {
      const row = await lockMessage(tx, message.id)
      // It was deleted, or edited, and the edit is previewed by itself.
      if (!row || row.is_deleted || row.is_embedded || row.content !== message.content) return
      const { id, channel_id, guild_id } = row
      const use = { messageId: id, guildId: guild_id, channelId: channel_id, authorId: row.author_id }
      await useInPreviews(tx, use, embeds)
      const revision = await embed(tx, id, embeds)
      const body = { rong_id: id, msg_id: id, channel_id, guild_id, embeds, revision }
      emit.guild(guild_id, embedsAppended, body, channel_id)
    })
  }

  /** The preview of an address, fetched once within minutes for all who send it. */
  #cached(userId: UserId, address: string, origin: string): Promise<PreviewResult> {
    const key = `${origin} ${address}`
    const now = clock.now()
    const cached = this.#cache.get(key)
    if (cached && cached.until > now) return cached.result
    this.#cache.delete(key)
    const oldest = this.#cache.keys().next()
    if (this.#cache.size >= CACHE_MAX && !oldest.done) this.#cache.delete(oldest.value)
    const entry = { until: now + CACHED_FOR_MS, result: this.#preview(userId, address, origin) }
    this.#cache.set(key, entry)
    const forget = () => {
      if (this.#cache.get(key) === entry) this.#cache.delete(key)
    }
    entry.result.then(({ isFinal }) => isFinal || forget(), forget)
    return entry.result
  }

  async #preview(userId: UserId, address: string, origin: string): Promise<PreviewResult> {
    const { appContext, assets } = this.#deps
    if (!(await consumeAttempt(appContext.db, FETCHES_PER_PERSON, userId)))
      return { embed: null, isFinal: false }
    try {
      const request = { address, onBehalfOf: userId, accept: ACCEPTED, most: FETCHED_PICTURE_MAX }
      const fetched = await this.#safeFetch.fetch(request, async (response) =>
        isPage(response) ? { page: await readPage(response) } : { file: await assets.receive(response) },
      )
      if (fetched.page)
        return { embed: await this.#pageEmbed(fetched.page, userId, address, origin), isFinal: true }
      const size = { origin, side: PICTURE_SIDE }
      const picture = fetched.file && (await assets.storeFetched(userId, fetched.file, size))
      return { embed: picture && { type: 'image', url: picture.url, origin_url: address }, isFinal: true }
    } catch (error) {
      if (error instanceof Unreachable) return { embed: null, isFinal: error.why !== 'busy' }
      throw error
    }
  }

  async #pageEmbed(page: Page, userId: UserId, address: string, origin: string): Promise<Embed | null> {
    const { title, description, siteName, image } = page
    if (title === '') return null
    const asked = { target: 'preview' as const, userId, texts: [title, description, siteName] }
    if (!(await isAllowed(this.#deps.appContext, asked))) return null
    const picture =
      image && (await this.#deps.assets.fetchPicture(userId, image, { origin, side: THUMBNAIL_SIDE }))
    const video = videoOf(page)
    if (video && picture)
      return { type: 'bili-video', url: address, origin_url: address, ...video, title, pic: picture.url }
    return {
      type: 'link',
      url: address,
      title,
      description,
      site_name: siteName,
      theme_color: page.themeColor,
      image: picture ? picture.url : '',
    }
  }
}
