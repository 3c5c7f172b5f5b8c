/** Which messages show which files. A file goes with the last message that shows it. Decision 38. */
import { assetKeysIn } from '@guildhall/wire/asset/assetKey.ts'
import type { ChannelId, GuildId, MessageId, UserId } from '@guildhall/wire/id.ts'
import { type Attachment, mediaKinds } from '@guildhall/wire/message/attachment.ts'
import type { MessageKind } from '@guildhall/wire/message/kind.ts'
import { clock } from '../kit/clock.ts'
import type { Tx } from '../kit/database/db.ts'
import { UNUSED_FILES_KEPT_MS } from '../kit/retention.ts'
import * as rows from './sql.ts'

/** What decides which files a message shows. */
export interface Showing {
  readonly kind: MessageKind
  readonly content: string
  readonly attachments: unknown
}

/**
 * The keys of the files that a message shows: its own file, the files of its cards, and those whose addresses
 * are in its text. A text counts for files of its author alone, so that nobody keeps a stranger's deleted
 * file by its address.
 */
export function filesOf({ kind, content, attachments }: Showing): string[] {
  if (!(kind in mediaKinds)) return assetKeysIn(content)
  const { url, cover } = (attachments ?? {}) as Partial<Attachment>
  return assetKeysIn([content, url, cover].join(' '))
}

/** Where a file is used. `guildId` and `channelId` null: in a private conversation. */
export interface Use {
  readonly messageId: MessageId
  readonly guildId: GuildId | null
  readonly channelId: ChannelId | null
  readonly authorId: UserId
}

/**
 * Notes, in the transaction that stores a message, which files it shows. Locks them before the guild's
 * counter.
 */
export const useFiles = (tx: Tx, use: Use, input: Showing): Promise<void> =>
  // In private, only files that were checked when the message was made: an address in a text gives no right
  // to a file.
  rows.use(
    tx,
    { ...use, isText: isText(input.kind), isPreview: false },
    use.guildId ? filesOf(input) : checkedFilesOf(input),
  )

const isText = (kind: MessageKind): boolean => !(kind in mediaKinds) && kind !== 'card'
const checkedFilesOf = (input: Showing): string[] => (isText(input.kind) ? [] : filesOf(input))

/** The same for the pictures of a message's previews. */
export const useInPreviews = (tx: Tx, use: Use, embeds: readonly object[]): Promise<void> =>
  rows.use(tx, { ...use, isText: false, isPreview: true }, assetKeysIn(JSON.stringify(embeds)))

/**
 * Notes what an edited message shows from now on. What it no longer shows may be shown again within a day.
 */
export async function useFilesInstead(tx: Tx, use: Use, input: Showing): Promise<void> {
  const before = await rows.endUses(tx, use.messageId)
  await rows.checkLater(
    tx,
    before.map(({ key }) => key),
    clock.now() + UNUSED_FILES_KEPT_MS,
  )
  await useFiles(tx, use, input)
}

/** Keeps files for another day that a message shows which is not stored itself. */
export const keepFilesForADay = (tx: Tx, input: Showing): Promise<void> =>
  rows.checkLater(tx, filesOf(input), clock.now() + UNUSED_FILES_KEPT_MS, true)

/** Something that a report was made with: a message with its author, or pictures of a person or guild. */
export type Kept = (Showing & { readonly authorId: UserId }) | { readonly pictures: readonly string[] }

/**
 * Keeps the files of a report: they stay when their message, their account or the guild's picture goes, and
 * then open by signed addresses alone. Decision 81.
 */
export async function keepEvidence(tx: Tx, evidenceId: string, kept: readonly Kept[]): Promise<void> {
  const use = {
    messageId: evidenceId as MessageId,
    guildId: null,
    channelId: null,
    isPreview: false,
    isEvidence: true,
  }
  for (const it of kept)
    if ('pictures' in it) await rows.useFaces(tx, evidenceId, assetKeysIn(it.pictures.join(' ')))
    else await rows.use(tx, { ...use, authorId: it.authorId, isText: isText(it.kind) }, filesOf(it))
}

/** Ends it: what nothing else shows is deleted. */
export async function releaseEvidence(tx: Tx, evidenceId: string): Promise<void> {
  const ended = await rows.endUses(tx, evidenceId as MessageId)
  await rows.discardUnused(
    tx,
    ended.map(({ key }) => key),
  )
}

/** Keeps files that nothing shows for so long, ms. */
export const keepFilesFor = (tx: Tx, keys: readonly string[], ms: number): Promise<void> =>
  rows.checkLater(tx, keys, clock.now() + ms, true)

/** Deletes those of some files that nothing shows any more. */
export const dropUnused = async (tx: Tx, keys: readonly string[]): Promise<void> =>
  void (await rows.discardUnused(tx, keys))

/**
 * Deletes the files of a message that is deleted in this transaction, unless something else shows them: their
 * addresses are gone once it commits, their bytes with the next clean-up. Pictures of previews, which may be
 * made for several messages at once, go within a day.
 */
export async function releaseFiles(tx: Tx, messageId: MessageId): Promise<void> {
  const ended = await rows.endUses(tx, messageId)
  const keys = (isPreview: boolean) => ended.flatMap((it) => (it.is_preview === isPreview ? it.key : []))
  await rows.discardUnused(tx, keys(false))
  await rows.checkLater(tx, keys(true), clock.now() + UNUSED_FILES_KEPT_MS)
}
