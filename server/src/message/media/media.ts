/** Messages whose content is the address of a file. chat.md §3, protocol.md §3.2 and §4.7. */

import { GUILD_FILES_MB_PER_DAY, uploadMaxBytes } from '@guildhall/wire/asset/asset.ts'
import { assetKey } from '@guildhall/wire/asset/assetKey.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { defaultLocale } from '@guildhall/wire/locale.ts'
import { type Attachment, mediaKinds, type VideoLooks } from '@guildhall/wire/message/attachment.ts'
import type { MessageKind } from '@guildhall/wire/message/kind.ts'
import { has, permission } from '@guildhall/wire/permission/permission.ts'
import { isUsedIn, ownAsset } from '../../asset/asset.ts'
import type { ChannelAccess } from '../../channel/channel.ts'
import { findGuild } from '../../guild/guild.ts'
import type { Db } from '../../kit/database/db.ts'
import { consumeAttempt } from '../../kit/limits/rateLimitDatabase.ts'
import { FILES_PER_GUILD } from '../limit.ts'
import { messageText } from '../text.ts'

export interface Media {
  /** The file's address on this server. */
  readonly content: string
  readonly attachments: Attachment
  /** Its plain-text preview. */
  readonly words: string
}

/**
 * The file of a message, described from the stored file and not by the sender. Null for kinds whose content
 * is no address. The level of the message's own guild bounds its size.
 * @throws Failure message.not_allowed, asset.unknown (not theirs, or of another kind), asset.too_large,
 *   asset.guild_daily_limit
 */
export async function mediaOf(
  db: Db,
  userId: UserId,
  hasBuff: boolean,
  access: ChannelAccess,
  input: {
    readonly kind: MessageKind
    readonly content: string
    readonly origin: string
    readonly looks?: VideoLooks | undefined
  },
): Promise<Media | null> {
  const wanted = mediaKinds[input.kind]
  if (!wanted) return null
  if (!has(access.permissions, permission.upload_file))
    throw fail('message.not_allowed', { why: 'no_permission' })
  const guild = await findGuild(db, access.channel.guild_id)
  const media = await fileOf(db, userId, { ...input, most: uploadMaxBytes(guild?.level ?? 0, hasBuff) })
  if (media) await countNewFile(db, access.channel.guild_id, media)
  return media
}

/**
 * The file of a message that is forwarded to a channel.
 * @throws Failure message.not_allowed, asset.guild_daily_limit
 */
export async function shownAgain(db: Db, access: ChannelAccess, media: Media): Promise<Media> {
  if (!has(access.permissions, permission.upload_file))
    throw fail('message.not_allowed', { why: 'no_permission' })
  await countNewFile(db, access.channel.guild_id, media)
  return media
}

/**
 * Counts a file that no message of the guild shows yet.
 * @throws Failure asset.guild_daily_limit (detail.mb)
 */
async function countNewFile(db: Db, guildId: GuildId, { content, attachments }: Media): Promise<void> {
  if (await isUsedIn(db, assetKey(content) ?? '', guildId)) return
  if (!(await consumeAttempt(db, FILES_PER_GUILD, guildId, Math.ceil((attachments.size ?? 0) / 1024))))
    throw fail('asset.guild_daily_limit', { mb: GUILD_FILES_MB_PER_DAY })
}

/**
 * The same outside a guild. `most`: the maximal size, bytes.
 * @throws Failure asset.unknown (also of a cover), asset.too_large
 */
export async function fileOf(
  db: Db,
  userId: UserId,
  input: {
    readonly kind: MessageKind
    readonly content: string
    readonly origin: string
    /** Of a video: cover, size and duration as its sender states them. */
    readonly looks?: VideoLooks | undefined
    readonly most?: number
  },
): Promise<Media | null> {
  const wanted = mediaKinds[input.kind]
  if (!wanted) return null
  const row = await ownAsset(db, userId, input.content.trim())
  if (wanted !== 'file' && row.kind !== wanted) throw fail('asset.unknown')
  const { most } = input
  if (most !== undefined && row.size > most)
    throw fail('asset.too_large', { mb: Math.floor(most / 1024 / 1024) })

  const url = `${input.origin}/${row.key}`
  const looks = input.kind === 'video' ? input.looks : undefined
  const cover = looks?.cover ? await ownAsset(db, userId, looks.cover) : null
  if (cover && cover.kind !== 'image') throw fail('asset.unknown')
  const width = row.width ?? looks?.width
  const height = row.height ?? looks?.height
  const duration = row.duration_ms ?? looks?.duration
  const text = messageText[defaultLocale]
  return {
    content: url,
    words: wanted === 'file' ? text.file(row.name) : text[wanted],
    attachments: {
      type: wanted,
      name: row.name,
      url,
      fileUrl: url,
      file_type: row.mime,
      size: row.size,
      ...(width !== undefined && height !== undefined && { width, height }),
      ...(duration !== undefined && { duration }),
      ...(row.thumbhash !== null && input.kind === 'image' && { thumbhash: row.thumbhash }),
      ...(cover && { cover: `${input.origin}/${cover.key}` }),
    },
  }
}
