/** Messages to channels as the rules of their guild judge them. Decision 118. */
import { isAboveRules } from '@guildhall/wire/moderation/exempt.ts'
import type { ChannelAccess } from '../../channel/channel.ts'
import type { Moderates, Stopped } from '../../kit/moderation.ts'
import type { Said } from '../content.ts'
import type { Media } from '../media/media.ts'
import type { ResolvedMentions } from '../mention/mentions.ts'
import { heldOf } from '../screenedTexts.ts'

/** How many people and roles a message mentions; everybody is one. */
export const mentionsOf = (it: Omit<ResolvedMentions, 'kmarkdown'>): number =>
  it.mention.length + it.mention_roles.length + Number(it.mention_all) + Number(it.mention_here)

/** What the rules say of a message of the person with this access; null: it passes. */
export async function stoppedIn(
  { moderation }: Moderates,
  access: ChannelAccess,
  input: {
    readonly said: Said
    readonly media: Media | null
    readonly mentions: ResolvedMentions
    /** An edit is not. */
    readonly isNew: boolean
  },
): Promise<Stopped | null> {
  const { channel, viewer, roles, rulesVersion, viewerId, joinedAt } = access
  if (!moderation || rulesVersion <= 0 || access.isBot || isAboveRules(viewer, roles)) return null
  const { texts, files } = heldOf(input.said, input.media)
  const message = {
    guildId: channel.guild_id,
    channelId: channel.id,
    categoryId: channel.parent_id,
    authorId: viewerId,
    roles: viewer.roles,
    joinedAt,
    texts,
    mentions: mentionsOf(input.mentions),
    hasFiles: files.length > 0,
  }
  return moderation.judge(message, rulesVersion, input.isNew)
}
