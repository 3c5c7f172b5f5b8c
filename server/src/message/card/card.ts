/**
 * Cards as they are stored: parsed, their files looked up, written out in full. protocol.md §7.5 and §7.6.
 */
import { readCards, writeCards } from '@guildhall/wire/card/card.ts'
import { CARD_CONTENT_MAX } from '@guildhall/wire/card/limit.ts'
import type { FileModule, Image } from '@guildhall/wire/card/node.ts'
import { nodesOf, withFiles } from '@guildhall/wire/card/textOfCards.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { isWebAddress } from '@guildhall/wire/kmarkdown/link.ts'
import type { KmNode } from '@guildhall/wire/kmarkdown/node.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import type { Author } from '@guildhall/wire/user/shown.ts'
import { type FoundAsset, findAssets, readAsset, withoutSignatures } from '../../asset/asset.ts'
import { isOneOpen } from '../../channel/channel.ts'
import { clock } from '../../kit/clock.ts'
import type { AppContext } from '../../kit/events/events.ts'

/** Only bots send cards. protocol.md §3.1. */
export const maySendCards = (author: Pick<Author, 'bot'>): boolean => author.bot

/**
 * Fetches a picture from the web and stores it as a person's upload; returns its address on this server, or
 * null.
 */
export type FetchPicture = (
  userId: UserId,
  address: string,
  input: { readonly origin: string; readonly side?: number; readonly signal: AbortSignal },
) => Promise<string | null>

/** Pictures of the web fetched for one message; further ones are not. */
const FETCHED_MAX = 20
/** The time for all of them, ms: the sender waits for it. */
const FETCHED_WITHIN_MS = 10 * SECOND_MS

/**
 * The stored form of the cards a person sends. Pictures may be anybody's upload whose address opens it, since
 * that person could upload it again; other files are the sender's own. A picture of the web is fetched
 * and stored; one that fails is replaced by its
 * `fallbackUrl`. May take seconds: never within a transaction. `origin`: the public address of the server.
 * protocol.md §7.4.
 * @throws Failure bad_json, card.invalid (detail.at, detail.why), asset.unknown (detail.at)
 */
export async function cardContent(
  appContext: Pick<AppContext, 'db' | 'addresses'>,
  userId: UserId,
  input: {
    readonly content: unknown
    readonly origin: string
    /** Absent: pictures of the web are not fetched. */
    readonly fetchPicture?: FetchPicture | undefined
  },
): Promise<string> {
  const { origin, fetchPicture } = input
  const cards = cardsIn(input.content)
  const { files, pictures } = addressesIn(cards)
  const found =
    files.size > 0 ? await readable(appContext, userId, [...files]) : new Map<string, FoundAsset>()
  const missing = [...pictures].filter((each) => !found.has(each) && isElsewhere(each, origin))
  const fetched = fetchPicture ? await fetchAll(missing, userId, origin, fetchPicture) : null
  const shown = new CardFiles(userId, origin, found, fetched)
  const written = writeCards(
    withFiles(cards, {
      image: (image, at) => shown.image(image, at),
      file: (module, at) => shown.file(module, at),
    }),
  )
  const stored = withoutSignatures(written)
  // Addresses of this server may be longer than those they replace.
  if (stored.length > CARD_CONTENT_MAX) throw fail('card.invalid', { at: '', why: 'long' })
  return stored
}

/** The stored files of some addresses: the author's own, and those that the addresses open. */
async function readable(
  { db, addresses }: Pick<AppContext, 'db' | 'addresses'>,
  userId: UserId,
  given: readonly string[],
): Promise<Map<string, FoundAsset>> {
  const found = await findAssets(db, given)
  const deps = {
    db,
    ...(addresses && { addresses }),
    isOneOpen: (ids: FoundAsset['channels']) => isOneOpen(db, ids),
  }
  for (const [address, { key, user_id, is_open }] of found) {
    if (is_open || user_id === userId) continue
    const params = Object.fromEntries(new URL(address, 'http://localhost').searchParams)
    if (!(await readAsset(deps, key, params))) found.delete(address)
  }
  return found
}

/** @throws Failure bad_json, card.invalid (detail.at, detail.why) */
function cardsIn(content: unknown) {
  const read = readCards(content, { sentAt: clock.now() })
  if (!('broken' in read)) return read.cards
  if (read.broken.why === 'json') throw fail('bad_json')
  throw fail('card.invalid', { ...read.broken })
}

/** The addresses that cards show: all of them, and those of pictures, which may be fetched. */
function addressesIn(cards: ReturnType<typeof cardsIn>) {
  const files = new Set<string>()
  const pictures = new Set<string>()
  withFiles(cards, {
    image(image) {
      files.add(image.src)
      pictures.add(image.src)
      if (image.fallbackUrl) files.add(image.fallbackUrl)
      return image
    },
    file(module) {
      files.add(module.src)
      if (module.cover) {
        files.add(module.cover)
        pictures.add(module.cover)
      }
      return module
    },
  })
  return { files, pictures }
}

/** The files that somebody's cards show, by the addresses that were typed. */
class CardFiles {
  readonly #userId: UserId
  readonly #origin: string
  readonly #found: ReadonlyMap<string, FoundAsset>
  readonly #fetched: ReadonlyMap<string, string> | null

  /** `found`: uploads. `fetched`: pictures of the web, by the address where they are stored here. */
  constructor(
    userId: UserId,
    origin: string,
    found: ReadonlyMap<string, FoundAsset>,
    fetched: ReadonlyMap<string, string> | null,
  ) {
    this.#userId = userId
    this.#origin = origin
    this.#found = found
    this.#fetched = fetched
  }

  /** A picture with its stored address. @throws Failure asset.unknown (detail.at) */
  image({ fallbackUrl, ...rest }: Image, at: string): Image {
    const src = this.#pictureAnywhere(rest.src) ?? this.#picture(fallbackUrl)
    if (src === null) throw fail('asset.unknown', { at: `${at}.src` })
    return { ...rest, src }
  }

  /** A file of the author's, described from the stored one. @throws Failure asset.unknown (detail.at) */
  file<M extends FileModule>(module: M, at: string): M {
    const row = this.#found.get(module.src)
    if (row?.user_id !== this.#userId || (module.type !== 'file' && row.kind !== module.type))
      throw fail('asset.unknown', { at: `${at}.src` })
    const cover = this.#pictureAnywhere(module.cover)
    if (module.cover !== undefined && cover === null) throw fail('asset.unknown', { at: `${at}.cover` })
    return {
      ...module,
      src: `${this.#origin}/${row.key}`,
      title: module.title || row.name,
      ...(cover !== null && { cover }),
      size: row.size,
      ...(row.duration_ms !== null && { duration: row.duration_ms / 1000 }),
      ...(row.width !== null && row.height !== null && { width: row.width, height: row.height }),
      external: false,
      canDownload: true,
    }
  }

  #picture(address: string | undefined): string | null {
    const row = address === undefined ? undefined : this.#found.get(address)
    return row?.kind === 'image' ? `${this.#origin}/${row.key}` : null
  }

  #pictureAnywhere(address: string | undefined): string | null {
    return this.#picture(address) ?? this.#fetched?.get(address ?? '') ?? null
  }
}

const isElsewhere = (address: string, origin: string): boolean =>
  isWebAddress(address) &&
  URL.canParse(address) &&
  !(URL.canParse(origin) && new URL(address).host === new URL(origin).host)

/** The stored addresses of fetched pictures, without those that failed. */
async function fetchAll(
  addresses: readonly string[],
  userId: UserId,
  origin: string,
  fetchPicture: FetchPicture,
): Promise<ReadonlyMap<string, string>> {
  const signal = AbortSignal.timeout(FETCHED_WITHIN_MS)
  const pairs = addresses.slice(0, FETCHED_MAX).map(async (address) => {
    const here = await fetchPicture(userId, address, { origin, signal })
    return here === null ? [] : [[address, here] as const]
  })
  return new Map((await Promise.all(pairs)).flat())
}

/** The text of stored cards, for their mentions and previews; none when they cannot be parsed. */
export function cardNodes(content: string): KmNode[] {
  const read = readCards(content)
  return 'cards' in read ? nodesOf(read.cards) : []
}
