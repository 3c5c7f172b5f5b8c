/** Calls for card messages: validation without sending, and button presses. protocol.md §3.4, §4.7, §7. */
import { CARD_CONTENT_MAX, VALUE_MAX } from '../card/limit.ts'
import { event } from '../event.ts'
import { channelId, guildId, messageId, userId } from '../id.ts'
import { route } from '../route.ts'
import { nothing, text, z } from '../schema.ts'
import { user } from '../user/shown.ts'

/** Checks whether the cards would be accepted from the caller. Sends nothing. protocol.md §4.7. */
export const checkCard = route({
  method: 'POST',
  path: '/api/v3/message/check-card',
  dialect: 'v3',
  who: 'user',
  input: z.object({ content: z.union([text(CARD_CONTENT_MAX), z.array(z.unknown())]) }),
  answer: nothing,
  fails: ['bad_json', 'card.invalid', 'asset.unknown'],
})

/**
 * Press a `return-val` button of a card: its author receives `message_btn_click`. `value` is the button's
 * own; the public protocol does not name this call. Ours.
 */
export const clickButton = route({
  method: 'POST',
  path: '/api/v3/message/click-button',
  dialect: 'v3',
  who: 'user',
  input: z.object({ msg_id: messageId, value: text(VALUE_MAX) }),
  answer: nothing,
  fails: ['message.unknown', 'card.no_button', 'onboarding.rules_needed', 'too_many'],
})

/** Somebody pressed a button of the receiver's card. `target_id` is the channel. protocol.md §3.4. */
export const buttonClicked = event(
  'message_btn_click',
  'person',
  z.object({
    msg_id: messageId,
    user_id: userId,
    value: z.string(),
    target_id: channelId,
    user_info: user,
    channel_type: z.literal('GROUP'),
    guild_id: guildId,
  }),
  { access: 'none' },
)
