/** What a forwarded message carries to another location. */
import { fail } from '@guildhall/wire/failure.ts'
import type { MessageId, UserId } from '@guildhall/wire/id.ts'
import { mentionText } from '@guildhall/wire/kmarkdown/text.ts'
import { defaultLocale } from '@guildhall/wire/locale.ts'
import { type Attachment, mediaKinds } from '@guildhall/wire/message/attachment.ts'
import type { MessageKind } from '@guildhall/wire/message/kind.ts'
import type { KmarkdownPart } from '@guildhall/wire/message/message.ts'
import type { AppContext } from '../kit/events/events.ts'
import { requireSees } from './history.ts'
import type { Media } from './media/media.ts'
import { table } from './sql/message.ts'
import { messageText } from './text.ts'

/** A message as it is forwarded: nobody is mentioned by it again, and its file is shown once more. */
export interface Forwarded {
  readonly kind: MessageKind
  readonly content: string
  readonly file: Media | null
}

/** Cards belong to the bot that sent them: nobody else could answer their buttons. */
const FORWARDED: ReadonlySet<MessageKind> = new Set([
  ...(['text', 'kmarkdown', 'image', 'file', 'video', 'voice'] as const),
])

/**
 * A message of a channel that a person may view, to be forwarded.
 * @throws Failure message.unknown, message.kind_refused
 */
export async function forwardedFrom(
  appContext: AppContext,
  userId: UserId,
  msgId: MessageId,
): Promise<Forwarded> {
  const { channel } = await requireSees(appContext.db, userId, msgId)
  const row = await table.byId(appContext.db, userId, channel.id, msgId)
  if (!row) throw fail('message.unknown')
  return forwardedOf(row)
}

/** @throws Failure message.kind_refused */
export function forwardedOf(row: {
  readonly kind: MessageKind
  readonly content: string
  readonly kmarkdown: unknown
  readonly attachments: unknown
}): Forwarded {
  const { kind, content } = row
  if (!FORWARDED.has(kind)) throw fail('message.kind_refused')
  const wanted = mediaKinds[kind]
  if (wanted) {
    const attachments = row.attachments as Attachment
    const text = messageText[defaultLocale]
    const label = wanted === 'file' ? text.file(attachments.name) : text[wanted]
    return { kind, content, file: { content, attachments, words: label } }
  }
  // Plain text calls people by name and digits.
  if (kind === 'text') return { kind: 'kmarkdown', content: escaped(content), file: null }
  return { kind, content: withoutMentions(content, row.kmarkdown as KmarkdownPart | null), file: null }
}

const MENTION = /\((met|rol|chn)\)(\w{1,20})\(\1\)/g

/** The source with the names of those whom it mentions in place of the mentions. */
export function withoutMentions(source: string, part: KmarkdownPart | null): string {
  const text = mentionText[defaultLocale]
  return source.replace(MENTION, (_all, tag: string, id: string) => {
    if (tag === 'chn') return `#${escaped(part?.channel_part?.find((it) => it.id === id)?.name ?? id)}`
    if (tag === 'rol')
      return `@${escaped(part?.mention_role_part?.find((it) => String(it.role_id) === id)?.name ?? id)}`
    if (id === 'all') return text.all
    if (id === 'here') return text.here
    const person = part?.mention_part?.find((it) => it.id === id)
    return `@${escaped(person?.nickname ?? person?.username ?? id)}`
  })
}

/** A name as plain text of KMarkdown. */
const escaped = (name: string): string => name.replace(/[!-/:-@[-`{-~]/g, '\\$&')
