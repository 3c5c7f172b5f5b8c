/** Mentions in private messages: of the two people alone; there are no roles or channels between them. */
import type { UserId } from '@guildhall/wire/id.ts'
import { mentionsIn, parse, plain } from '@guildhall/wire/kmarkdown/kmarkdown.ts'
import { mentionText } from '@guildhall/wire/kmarkdown/text.ts'
import { defaultLocale } from '@guildhall/wire/locale.ts'
import type { MessageKind } from '@guildhall/wire/message/kind.ts'
import type { KmarkdownPart } from '@guildhall/wire/message/message.ts'
import { usableEmoji } from '../emoji/emoji.ts'
import type { AppContext } from '../kit/events/events.ts'
import { cardNodes, mentionPartOf, previewText } from '../message/message.ts'
import { type Identity, numberOf } from '../user/user.ts'

/** The mentions that are stored with a message. */
export interface PrivateMentions {
  readonly mention: UserId[]
  readonly kmarkdown: KmarkdownPart
}

/** Emoji of guilds looked up in one message. */
const EMOJI_NAMED_MAX = 100

export const noMentions = (raw_content: string): PrivateMentions => ({
  mention: [],
  kmarkdown: { raw_content, mention_part: [], mention_role_part: [], channel_part: [], item_part: [] },
})

/**
 * The people a message mentions, and the names in it. `two`: the author and the other.
 * @throws Failure emoji.elsewhere
 */
export async function resolveMentions(
  { db, publicUrl }: Pick<AppContext, 'db' | 'publicUrl'>,
  userId: UserId,
  kind: MessageKind,
  content: string,
  two: readonly Identity[],
  /** What the message said before it was edited: its emoji may stay. */
  before = '',
): Promise<PrivateMentions> {
  if (kind !== 'kmarkdown' && kind !== 'card') return noMentions(content)
  const nodesOf = (text: string) => (kind === 'card' ? cardNodes(text) : parse(text))
  const nodes = nodesOf(content)
  const ids = mentionsIn(nodes)
  const called = new Set(ids.users)
  const emoji = await usableEmoji(db, userId, ids.emoji.slice(0, EMOJI_NAMED_MAX), {
    guildId: null,
    kept: before === '' ? [] : mentionsIn(nodesOf(before)).emoji,
  })
  const mentioned = two.filter(({ id }) => called.has(id))
  const raw = plain(nodes, {
    user: (id) => mentioned.find((each) => each.id === id)?.username ?? null,
    role: () => null,
    channel: () => null,
    emojiName: (id) => emoji.get(id)?.name ?? null,
    words: mentionText[defaultLocale],
  })
  const mention_part = mentioned.map((it) =>
    mentionPartOf({ ...it, identify_num: numberOf(it) }, { publicUrl }),
  )
  return {
    mention: mentioned.map(({ id }) => id),
    kmarkdown: {
      ...noMentions(previewText(kind, raw)).kmarkdown,
      mention_part,
      ...(emoji.size > 0 && { emoji_part: [...emoji.values()] }),
    },
  }
}
