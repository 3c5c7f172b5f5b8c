/** Clicks on the buttons of cards. protocol.md §3.4 and §7.4. */
import { readCards } from '@guildhall/wire/card/card.ts'
import { buttonsIn } from '@guildhall/wire/card/textOfCards.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { MessageId, UserId } from '@guildhall/wire/id.ts'
import { buttonClicked } from '@guildhall/wire/message/card.ts'
import { channelAccess, refuseSend } from '../../channel/channel.ts'
import { type AppContext, commit } from '../../kit/events/events.ts'
import { useAttempt } from '../../kit/limits/rateLimitDatabase.ts'
import { CLICKS_PER_PERSON } from '../limit.ts'
import { ephemeralFor } from '../sql/ephemeral.ts'
import { positionOf, table } from '../sql/message.ts'

/**
 * Notifies a card's author that a person who sees it clicked one of its `return-val` buttons.
 * @throws Failure message.unknown, card.no_button, onboarding.rules_needed, too_many
 */
export async function click(
  appContext: AppContext,
  userId: UserId,
  input: { readonly msgId: MessageId; readonly value: string },
): Promise<void> {
  await useAttempt(appContext.db, CLICKS_PER_PERSON, userId)
  // An ephemeral view may show this person other cards than the message has.
  const location = await positionOf(appContext.db, input.msgId)
  const ephemeral = await ephemeralFor(appContext.db, input.msgId, userId)
  const channelId = (location ?? ephemeral)?.channel_id
  const access = channelId ? await channelAccess(appContext.db, userId, channelId) : null
  if (!channelId || !access?.canView) throw fail('message.unknown')
  if (access.whyCannotSend(appContext) === 'rules') refuseSend('rules', null)
  const stored = location ? await table.byId(appContext.db, userId, channelId, input.msgId) : null
  const row = stored ?? ephemeral
  if (!row) throw fail('message.unknown')
  const cards = [stored?.kind === 'card' ? stored.content : '', ephemeral?.cards ?? '']
  if (!cards.some((content) => hasButton(content, input.value))) throw fail('card.no_button')

  const { nickname: _, roles: __, ...author } = access.author(appContext)
  await commit(appContext, async (_tx, emit) =>
    emit.person(row.author_id, buttonClicked, {
      msg_id: row.id,
      user_id: userId,
      value: input.value,
      target_id: row.channel_id,
      user_info: author,
      channel_type: 'GROUP',
      guild_id: row.guild_id,
    }),
  )
}

function hasButton(content: string, wanted: string): boolean {
  const read = readCards(content === '' ? null : content)
  const buttons = 'cards' in read ? buttonsIn(read.cards) : []
  return buttons.some(({ click, value }) => click === 'return-val' && value === wanted)
}
