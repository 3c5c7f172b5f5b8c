/** What the addresses in messages lead to: found out after a message was sent, beside everything else. protocol.md §6.4. */
import type { MessageId, UserId } from '@guildhall/wire/id.ts'
import { type KmNode, parse } from '@guildhall/wire/kmarkdown/kmarkdown.ts'
import { embedsAppended } from '@guildhall/wire/message/act.ts'
import type { Embed } from '@guildhall/wire/message/embed.ts'
import type { MessageKind } from '@guildhall/wire/message/kind.ts'
import { MINUTE_MS } from '@guildhall/wire/unit.ts'
import { type Assets, FETCHED_PICTURE_MAX, FETCHES_PER_PERSON, PICTURES_ACCEPTED } from '../asset/asset.ts'
import { spend } from '../kit/attempt.ts'
import { clock } from '../kit/clock.ts'
import { commit, type Live } from '../kit/events.ts'
import type { Log } from '../kit/log.ts'
import { type SafeFetch, Unreachable } from '../outside/safeFetch.ts'
import { isPage, type Page, readPage } from './pageHead.ts'
import { embed } from './sql/embed.ts'
import { lockMessage } from './sql/message.ts'
import { videoOf } from './video.ts'

/** Addresses of one message that are looked at, the first ones. */
const LOOKED_AT_MAX = 3
/** How long what was found at an address holds, and for how many. */
const FOUND_FOR_MS = 5 * MINUTE_MS
const FOUND_MAX = 500
/** Messages whose addresses are being looked at; those that come beyond go without. */
const UNDER_WAY_MAX = 500
/** The longer side of a picture somebody named, and of one that a page names of itself, px. */
const PICTURE_SIDE = 2_048
const THUMBNAIL_SIDE = 800

const ACCEPTED = `text/html,application/xhtml+xml,${PICTURES_ACCEPTED};q=0.8`

/** A message and the words whose addresses are looked at. */
export interface EditedMessage {
  readonly id: MessageId
  readonly kind: MessageKind | null
  readonly authorId: UserId
  readonly content: string
}

export interface LinkPreviews {
  /**
   * Looks at the addresses in a message that was just sent or changed, and adds what they lead to. Answers at once.
   * `origin`: the address people use.
   */
  schedule(it: EditedMessage, origin: string): void
  /** Resolves when nothing is under way. */
  settled(): Promise<void>
}

/** What was found; `isSure` when asking again soon would find the same. */
interface PreviewResult {
  readonly embed: Embed | null
  readonly isSure: boolean
}

/**
 * The addresses of a text that stand for themselves: typed bare, or as a link whose words are its address. Each once, in
 * their order. What is code or hidden is left alone.
 */
export function bareAddresses(nodes: readonly KmNode[]): string[] {
  const found = new Set<string>()
  const walk = (node: KmNode): void => {
    if (node.type === 'text' || !('children' in node) || node.tagName === 'spl') return
    if (node.tagName !== 'a') return node.children.forEach(walk)
    const [words, ...more] = node.children
    if (words?.type === 'text' && words.content === node.href && more.length === 0) found.add(node.href)
  }
  nodes.forEach(walk)
  return [...found]
}

const hostOf = (address: string): string | null => (URL.canParse(address) ? new URL(address).host : null)

/** `ownUrls`: addresses of this house, which are not looked at. `elsewhere` null: nothing ever is. */
export function openLinkPreviews({
  live,
  assets,
  safeFetch,
  ownUrls,
  log,
}: {
  readonly live: Live
  readonly assets: Pick<Assets, 'receive' | 'storeFetched' | 'fetchPicture'>
  readonly safeFetch: SafeFetch | null
  readonly ownUrls: readonly string[]
  readonly log: Log
}): LinkPreviews {
  const known = new Map<string, { readonly until: number; readonly found: Promise<PreviewResult> }>()
  const underWay = new Set<Promise<void>>()

  async function find(
    way: SafeFetch,
    userId: UserId,
    address: string,
    origin: string,
  ): Promise<PreviewResult> {
    if (!(await spend(live.db, FETCHES_PER_PERSON, userId))) return { embed: null, isSure: false }
    try {
      const asked = { address, onBehalfOf: userId, accept: ACCEPTED, most: FETCHED_PICTURE_MAX }
      const come = await way.fetch(asked, async (answer) =>
        isPage(answer) ? { page: await readPage(answer) } : { file: await assets.receive(answer) },
      )
      if (come.page) return { embed: await pageEmbed(come.page, userId, address, origin), isSure: true }
      const picture = come.file && (await assets.storeFetched(userId, come.file, { origin, side: PICTURE_SIDE }))
      return { embed: picture && { type: 'image', url: picture.url, origin_url: address }, isSure: true }
    } catch (error) {
      if (error instanceof Unreachable) return { embed: null, isSure: error.why !== 'busy' }
      throw error
    }
  }

  async function pageEmbed(
    page: Page,
    userId: UserId,
    address: string,
    origin: string,
  ): Promise<Embed | null> {
    const { title, description, image } = page
    if (title === '') return null
    const picture = image && (await assets.fetchPicture(userId, image, { origin, side: THUMBNAIL_SIDE }))
    const video = videoOf(page)
    if (video && picture)
      return { type: 'bili-video', url: address, origin_url: address, ...video, title, pic: picture.url }
    return {
      ...{ type: 'link', url: address, title, description, site_name: page.siteName },
      ...{ theme_color: page.themeColor, image: picture ? picture.url : '' },
    }
  }

  /** What an address leads to: within minutes everybody's asking is one. */
  function finding(way: SafeFetch, userId: UserId, address: string, origin: string): Promise<PreviewResult> {
    const key = `${origin} ${address}`
    const now = clock.now()
    const before = known.get(key)
    if (before && before.until > now) return before.found
    known.delete(key)
    const oldest = known.keys().next()
    if (known.size >= FOUND_MAX && !oldest.done) known.delete(oldest.value)
    const mine = { until: now + FOUND_FOR_MS, found: find(way, userId, address, origin) }
    known.set(key, mine)
    const forget = () => {
      if (known.get(key) === mine) known.delete(key)
    }
    mine.found.then(({ isSure }) => isSure || forget(), forget)
    return mine.found
  }

  async function add(
    way: SafeFetch,
    it: EditedMessage,
    addresses: readonly string[],
    origin: string,
  ): Promise<void> {
    const all = await Promise.all(addresses.map((each) => finding(way, it.authorId, each, origin)))
    const embeds = all.flatMap(({ embed }) => embed ?? [])
    if (embeds.length === 0) return
    await commit(live, async (tx, emit) => {
      const row = await lockMessage(tx, it.id)
      // It went, or says something else by now, which is looked at by itself.
      if (!row || row.is_deleted || row.is_embedded || row.content !== it.content) return
      const { id, channel_id, guild_id } = row
      const revision = await embed(tx, id, embeds)
      const body = { rong_id: id, msg_id: id, channel_id, guild_id, embeds, revision }
      emit.guild(guild_id, embedsAppended, body, channel_id)
    })
  }

  return {
    schedule(it, origin) {
      // Most words have no address in them, and are not read a second time.
      if (!safeFetch || it.kind !== 'kmarkdown' || !/https?:\/\//i.test(it.content)) return
      if (underWay.size >= UNDER_WAY_MAX) return
      // With or without encryption: it is the same house.
      const own = [...ownUrls, origin].map(hostOf)
      const addresses = bareAddresses(parse(it.content))
        .filter((each) => URL.canParse(each) && !own.includes(hostOf(each)))
        .slice(0, LOOKED_AT_MAX)
      if (addresses.length === 0) return
      const looking = add(safeFetch, it, addresses, origin)
        .catch((error: unknown) =>
          log.warn({ err: error }, 'a message goes without what its addresses lead to'),
        )
        .finally(() => underWay.delete(looking))
      underWay.add(looking)
    },
    async settled() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}
