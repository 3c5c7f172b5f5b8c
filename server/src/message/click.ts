/** Buttons of cards that are pressed. protocol.md §3.4 and §7.4. */
import { readCards } from '@guildhall/wire/card/card.ts'
import { buttonsIn } from '@guildhall/wire/card/words.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { MessageId, UserId } from '@guildhall/wire/id.ts'
import { buttonClicked } from '@guildhall/wire/message/card.ts'
import { MINUTE_MS } from '@guildhall/wire/unit.ts'
import { viewOf } from '../channel/channel.ts'
import { type Allowance, spend } from '../kit/attempt.ts'
import { commit, type Live } from '../kit/events.ts'
import type { Presence } from '../kit/presence.ts'
import * as rows from './sql/message.ts'

const CLICKS_PER_PERSON: Allowance = { name: 'button by person', most: 60, windowMs: MINUTE_MS }

/**
 * Tells a card's author that somebody who sees it pressed one of its `return-val` buttons. A value that none of them
 * carries, as one of a card that changed meanwhile, is told to nobody.
 * @throws Failure message.unknown, card.no_button, too_many
 */
export async function click(
  live: Live,
  presence: Presence,
  userId: UserId,
  it: { readonly msgId: MessageId; readonly value: string },
): Promise<void> {
  if (!(await spend(live.db, CLICKS_PER_PERSON, userId))) throw fail('too_many')
  // Somebody may be shown cards that no one else is, be it in the place of a message's own.
  const place = await rows.placeOf(live.db, it.msgId)
  const quiet = await rows.quietFor(live.db, it.msgId, userId)
  const channelId = (place ?? quiet)?.channel_id
  const standing = channelId ? await viewOf(live.db, userId, channelId) : null
  if (!channelId || !standing?.canView) throw fail('message.unknown')
  const stored = place ? await rows.byId(live.db, userId, channelId, it.msgId) : null
  const row = stored ?? quiet
  if (!row) throw fail('message.unknown')
  const cards = [stored?.kind === 'card' ? stored.content : '', quiet?.cards ?? '']
  if (!cards.some((content) => hasButton(content, it.value))) throw fail('card.no_button')

  const { nickname: _, roles: __, ...face } = standing.author(presence)
  await commit(live, async (_tx, emit) =>
    emit.person(row.author_id, buttonClicked, {
      msg_id: row.id,
      user_id: userId,
      value: it.value,
      target_id: row.channel_id,
      user_info: face,
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
