/**
 * Cards as they are stored: parsed, their files looked up, written out in full. protocol.md §7.5 and §7.6.
 */
import { readCards, writeCards } from '@guildhall/wire/card/card.ts'
import { nodesOf, withFiles } from '@guildhall/wire/card/content.ts'
import { CARD_CONTENT_MAX } from '@guildhall/wire/card/limit.ts'
import type { FileModule, Image } from '@guildhall/wire/card/node.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { isWebAddress } from '@guildhall/wire/kmarkdown/link.ts'
import type { KmNode } from '@guildhall/wire/kmarkdown/node.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import type { Author } from '@guildhall/wire/user/user.ts'
import { type FoundAsset, findAssets } from '../asset/asset.ts'
import { clock } from '../kit/clock.ts'
import type { Db } from '../kit/database/db.ts'

/** Only bots send cards. protocol.md §3.1. */
export const maySendCards = (author: Pick<Author, 'bot'>): boolean => author.bot

/**
 * Fetches a picture from the web and stores it as a person's upload; returns its address on this server, or
 * null.
 */
export type FetchPicture = (
  userId: UserId,
  address: string,
  it: { readonly origin: string; readonly side?: number; readonly signal: AbortSignal },
) => Promise<string | null>

/** Pictures of the web fetched for one message; further ones are not. */
const FETCHED_MAX = 20
/** The time for all of them, ms: the sender waits for it. */
const FETCHED_WITHIN_MS = 10 * SECOND_MS

/**
 * The stored form of the cards a person sends. Pictures may be anybody's upload, since a person who knows an
 * address could upload the picture again; other files are the sender's own. A picture of the web is fetched
 * and stored; one that fails is replaced by its
 * `fallbackUrl`. May take seconds: never within a transaction. `origin`: the public address of the server.
 * protocol.md §7.4.
 * @throws Failure bad_json, card.invalid (detail.at, detail.why), asset.unknown (detail.at)
 */
export async function cardContent(
  db: Db,
  userId: UserId,
  it: {
    readonly content: unknown
    readonly origin: string
    /** Absent: pictures of the web are not fetched. */
    readonly fetchPicture?: FetchPicture | undefined
  },
): Promise<string> {
  const read = readCards(it.content, { sentAt: clock.now() })
  if ('broken' in read) {
    if (read.broken.why === 'json') throw fail('bad_json')
    throw fail('card.invalid', { ...read.broken })
  }
  const wanted = new Set<string>()
  const pictures = new Set<string>()
  withFiles(read.cards, {
    image(image) {
      wanted.add(image.src)
      pictures.add(image.src)
      if (image.fallbackUrl) wanted.add(image.fallbackUrl)
      return image
    },
    file(module) {
      wanted.add(module.src)
      if (module.cover) {
        wanted.add(module.cover)
        pictures.add(module.cover)
      }
      return module
    },
  })
  const found = wanted.size > 0 ? await findAssets(db, [...wanted]) : new Map<string, FoundAsset>()
  const missing = [...pictures].filter((each) => !found.has(each) && isElsewhere(each, it.origin))
  const fetched = it.fetchPicture ? await fetchAll(missing, userId, it.origin, it.fetchPicture) : null
  const picture = (address: string | undefined): string | null => {
    const row = address === undefined ? undefined : found.get(address)
    // A file of others' private conversation is not for everybody, whoever knows its address.
    if (row?.is_private && row.user_id !== userId) return null
    return row?.kind === 'image' ? `${it.origin}/${row.key}` : null
  }
  const pictureAnywhere = (address: string | undefined): string | null =>
    picture(address) ?? fetched?.get(address ?? '') ?? null
  const image = ({ fallbackUrl, ...rest }: Image, at: string): Image => {
    const src = pictureAnywhere(rest.src) ?? picture(fallbackUrl)
    if (src === null) throw fail('asset.unknown', { at: `${at}.src` })
    return { ...rest, src }
  }
  const file = <M extends FileModule>(module: M, at: string): M => {
    const row = found.get(module.src)
    if (row?.user_id !== userId || (module.type !== 'file' && row.kind !== module.type))
      throw fail('asset.unknown', { at: `${at}.src` })
    const cover = pictureAnywhere(module.cover)
    if (module.cover !== undefined && cover === null) throw fail('asset.unknown', { at: `${at}.cover` })
    return {
      ...module,
      src: `${it.origin}/${row.key}`,
      title: module.title || row.name,
      ...(cover !== null && { cover }),
      size: row.size,
      ...(row.duration_ms !== null && { duration: row.duration_ms / 1000 }),
      ...(row.width !== null && row.height !== null && { width: row.width, height: row.height }),
      external: false,
      canDownload: true,
    }
  }
  const written = writeCards(withFiles(read.cards, { image, file }))
  // Addresses of this server may be longer than those they replace.
  if (written.length > CARD_CONTENT_MAX) throw fail('card.invalid', { at: '', why: 'long' })
  return written
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
