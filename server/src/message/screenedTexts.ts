/** What the word rules and the review service read of a message. */
import { readCards } from '@guildhall/wire/card/card.ts'
import { buttonsIn, typedIn } from '@guildhall/wire/card/textOfCards.ts'
import { parse, plain } from '@guildhall/wire/kmarkdown/kmarkdown.ts'
import type { KmNode } from '@guildhall/wire/kmarkdown/node.ts'
import { mentionText } from '@guildhall/wire/kmarkdown/text.ts'
import { defaultLocale } from '@guildhall/wire/locale.ts'
import type { Attachment } from '@guildhall/wire/message/attachment.ts'
import type { MessageKind } from '@guildhall/wire/message/kind.ts'
import { filesOf } from '../asset/asset.ts'
import { cardNodes } from './card/card.ts'
import type { Media } from './media/media.ts'

/** Names are asked about where they are set. */
const NO_NAMES = {
  user: () => null,
  role: () => null,
  channel: () => null,
  words: mentionText[defaultLocale],
}

const textOf = (nodes: readonly KmNode[]): string => plain(nodes, NO_NAMES)

/**
 * Every text of a message that people read: of marked text also its source, because an address behind words
 * is in it alone.
 */
export function screenedTexts(kind: MessageKind, content: string, attachments: unknown = null): string[] {
  if (attachments) return [(attachments as Partial<Attachment>).name ?? '']
  if (kind === 'card') return [textOf(cardNodes(content)), ...otherTexts(content)]
  if (kind !== 'kmarkdown') return [content]
  const text = textOf(parse(content))
  return text === content ? [content] : [text, content]
}

/** What people read of a message that is no file; mentions are words without names. */
export const shownText = (kind: MessageKind, content: string): string => screenedTexts(kind, content)[0] ?? ''

/**
 * Names of files and targets of buttons; what was typed, because an address behind words is in it alone; what
 * pictures are called.
 */
function otherTexts(content: string): string[] {
  const read = readCards(content)
  if ('broken' in read) return []
  const titles = read.cards.flatMap(({ modules }) =>
    modules.flatMap((module) => ('title' in module ? [module.title] : [])),
  )
  return [...titles, ...buttonsIn(read.cards).map(({ value }) => value), ...typedIn(read.cards)]
}

/**
 * What is judged of a message, and what is stored of it if it is held. `input`: what sending it later needs.
 */
export function heldOf<Input extends { readonly kind: MessageKind; readonly content: string }>(
  input: Input,
  media: Media | null,
) {
  const { kind } = input
  const content = media?.content ?? input.content
  const attachments = media?.attachments ?? null
  return {
    texts: screenedTexts(kind, content, attachments),
    files: filesOf({ kind, content, attachments }),
    input: { ...input, file_name: media?.attachments.name ?? '' },
  }
}
