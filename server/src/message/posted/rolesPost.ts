/** A message from which members open the roles that their guild offers. Decision 124. */
import { writeCards } from '@guildhall/wire/card/card.ts'
import { channelType } from '@guildhall/wire/channel/channel.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import type { Locale } from '@guildhall/wire/locale.ts'
import { rolesPath } from '@guildhall/wire/onboarding/rolesAddress.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { HOUR_MS } from '@guildhall/wire/unit.ts'
import { channelAccess, refuseSend } from '../../channel/channel.ts'
import { type AppContext, commit } from '../../kit/events/events.ts'
import { type RateLimit, useAttempt } from '../../kit/limits/rateLimitDatabase.ts'
import { viewOnboarding } from '../../onboarding/onboarding.ts'
import { requireGuildRight } from '../../role/role.ts'
import { messageText } from '../text.ts'
import { official, post } from './post.ts'

/** The official account speaks for whom a guild trusts; not without end. */
const POSTS: RateLimit = { name: 'roles posted by guild', most: 10, windowMs: HOUR_MS }

/**
 * Posts it in a text channel where the caller may write. It stays true when what is offered changes: it names
 * no role. `origin`: the public address of the server.
 * @throws Failure forbidden, member.no_right, message.not_allowed (detail.why), message.muted,
 *   message.muted_endlessly, onboarding.rules_needed, onboarding.no_questions, too_many
 */
export const postRoles = (
  appContext: AppContext,
  userId: UserId,
  input: {
    readonly guildId: GuildId
    readonly channelId: ChannelId
    readonly locale: Locale
    readonly origin: string
  },
): Promise<void> =>
  commit(appContext, async (tx, emit) => {
    const { guildId, channelId } = input
    await requireGuildRight(tx, userId, guildId, permission.manage_guild)
    const access = await channelAccess(tx, userId, channelId)
    if (access?.channel.guild_id !== guildId || !access.canView) throw fail('forbidden')
    const { channel } = access
    const why = channel.type === channelType.text ? access.whyCannotSend(appContext) : 'no_permission'
    if (why) refuseSend(why, access.mutedUntil)
    const { questions } = await viewOnboarding(tx, userId, guildId)
    if (questions.length === 0) throw fail('onboarding.no_questions')
    await useAttempt(tx, POSTS, guildId)
    const author = await official(tx, appContext)
    await post(tx, emit, { channel, author, kind: 'card', content: cardOf(input) })
  })

function cardOf(input: {
  readonly guildId: GuildId
  readonly locale: Locale
  readonly origin: string
}): string {
  const t = messageText[input.locale]
  const plain = (content: string) => ({ type: 'plain-text', content, emoji: false }) as const
  return writeCards([
    {
      type: 'card',
      theme: 'primary',
      size: 'lg',
      modules: [
        { type: 'header', text: plain(t.rolesTitle) },
        { type: 'section', mode: 'right', text: plain(t.rolesWords) },
        {
          type: 'action-group',
          elements: [
            {
              type: 'button',
              theme: 'primary',
              text: plain(t.chooseRoles),
              click: 'link',
              value: input.origin + rolesPath(input.guildId),
            },
          ],
        },
      ],
    },
  ])
}
