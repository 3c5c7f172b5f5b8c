/** Cards on their way into the house: read, their files looked up, written out whole. protocol.md §7.5 and §7.6. */
import { readCards, writeCards } from '@guildhall/wire/card/card.ts'
import type { FileModule, Image } from '@guildhall/wire/card/node.ts'
import { nodesOf, withFiles } from '@guildhall/wire/card/words.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import type { KmNode } from '@guildhall/wire/kmarkdown/node.ts'
import type { Author } from '@guildhall/wire/user/user.ts'
import { type AssetRow, findAssets } from '../asset/asset.ts'
import { clock } from '../kit/clock.ts'
import type { Db } from '../kit/db.ts'

/** Cards are what bots say; people's own words have no frames and buttons. protocol.md §3.1. */
export const maySendCards = (author: Pick<Author, 'bot'>): boolean => author.bot

/**
 * What is stored of the cards somebody sends. Pictures may be anybody's who uploaded them here, for whoever knows an
 * address could upload the picture again; other files are the sender's own. A picture that is not here gives way to its
 * `fallbackUrl`. `origin`: the address people use.
 * @throws Failure bad_json, card.invalid (detail.at, detail.why), asset.unknown (detail.at)
 */
export async function cardContent(
  db: Db,
  userId: UserId,
  it: { readonly content: unknown; readonly origin: string },
): Promise<string> {
  const read = readCards(it.content, { sentAt: clock.now() })
  if ('broken' in read) {
    if (read.broken.why === 'json') throw fail('bad_json')
    throw fail('card.invalid', { ...read.broken })
  }
  const wanted = new Set<string>()
  withFiles(read.cards, {
    image(image) {
      wanted.add(image.src)
      if (image.fallbackUrl) wanted.add(image.fallbackUrl)
      return image
    },
    file(module) {
      wanted.add(module.src)
      if (module.cover) wanted.add(module.cover)
      return module
    },
  })
  const found = wanted.size > 0 ? await findAssets(db, [...wanted]) : new Map<string, AssetRow>()
  const picture = (address: string | undefined): string | null => {
    const row = address === undefined ? undefined : found.get(address)
    return row?.kind === 'image' ? `${it.origin}/${row.key}` : null
  }
  const image = ({ fallbackUrl, ...rest }: Image, at: string): Image => {
    const src = picture(rest.src) ?? picture(fallbackUrl)
    if (src === null) throw fail('asset.unknown', { at: `${at}.src` })
    return { ...rest, src }
  }
  const file = <M extends FileModule>(module: M, at: string): M => {
    const row = found.get(module.src)
    if (row?.user_id !== userId || (module.type !== 'file' && row.kind !== module.type))
      throw fail('asset.unknown', { at: `${at}.src` })
    const cover = picture(module.cover)
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
  return writeCards(withFiles(read.cards, { image, file }))
}

/** The words of stored cards, for their mentions and previews; none when they cannot be read. */
export function cardNodes(content: string): KmNode[] {
  const read = readCards(content)
  return 'cards' in read ? nodesOf(read.cards) : []
}
