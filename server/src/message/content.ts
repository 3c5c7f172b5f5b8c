/** The content of messages: which kinds there are to send and edit, and the stored form of their content. */

import { fail } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { showsAnything, withShortcodes } from '@guildhall/wire/kmarkdown/kmarkdown.ts'
import { defaultLocale } from '@guildhall/wire/locale.ts'
import type { VideoLooks } from '@guildhall/wire/message/attachment.ts'
import { kindNumber, kindOf, type MessageKind } from '@guildhall/wire/message/kind.ts'
import { CONTENT_MAX } from '@guildhall/wire/message/limit.ts'
import { type SendBody, sendBody } from '@guildhall/wire/message/message.ts'
import type { Author } from '@guildhall/wire/user/shown.ts'
import { withoutOverrides } from '@guildhall/wire/visible.ts'
import { isVisible } from '@guildhall/wire/words.ts'
import { withoutSignatures } from '../asset/asset.ts'
import { emojiNamed } from '../emoji/emoji.ts'
import type { AppContext } from '../kit/events/events.ts'
import { clean } from '../kit/http/input.ts'
import { cardContent, type FetchPicture, maySendCards } from './card/card.ts'
import { messageText } from './text.ts'

/** What of a message is compared with a further one of the same nonce. */
export interface Said {
  readonly kind: MessageKind
  readonly content: string
}

/**
 * A nonce sends one message: asked for again it answers with that, and for another message it is refused.
 * Files and cards are compared by their kind alone, as what is stored of them is not what was sent; so is
 * what was edited since.
 * @throws Failure message.nonce_used
 */
export function refuseOther(first: Said & { readonly updated_at: number }, again: Said): void {
  const isText = again.kind === 'text' || again.kind === 'kmarkdown'
  const isSame = !isText || first.updated_at > 0 || first.content === again.content
  if (first.kind !== again.kind || !isSame) throw fail('message.nonce_used')
}

/** The kinds that may be sent; cards by bots. */
export const SENDABLE: ReadonlySet<MessageKind> = new Set([
  ...(['text', 'kmarkdown', 'image', 'file', 'video', 'voice', 'card'] as const),
])

/** The kinds whose content may be edited. protocol.md §4.7. */
export const EDITABLE: ReadonlySet<MessageKind> = new Set(['kmarkdown', 'card'])

/** The object name of text; the others name a kind of media. protocol.md §9.3. */
const TEXT_OBJECT = 'RC:TxtMsg'
const MEDIA_OBJECTS: Readonly<Record<string, MessageKind>> = {
  'RC:ImgMsg': 'image',
  'RC:GIFMsg': 'image',
  'RC:FileMsg': 'file',
  'RC:SightMsg': 'video',
  'RC:VcMsg': 'voice',
  'RC:HQVCMsg': 'voice',
}
/** Where the JSON of media has the address of its file. */
const ADDRESS_FIELDS = ['content', 'imageUri', 'fileUrl', 'sightUrl', 'remoteUrl'] as const

/** The text of cards is cut to this for previews, UTF-16 units. */
const CARD_TEXT_MAX = 500

/**
 * Whether an author may send a kind.
 * @throws Failure message.kind_refused
 */
export function requireSendable(
  kind: MessageKind | null | undefined,
  author: Pick<Author, 'bot'>,
): asserts kind is MessageKind {
  if (!kind || !SENDABLE.has(kind) || (kind === 'card' && !maySendCards(author)))
    throw fail('message.kind_refused')
}

/**
 * The content of a message as it is stored: cards with their files, other kinds cleaned. The address of a
 * file is still the sender's. May take seconds for cards: never within a transaction.
 * @throws Failure message.empty, message.too_long, card.invalid (detail.at, detail.why), asset.unknown,
 *   bad_json
 */
export const storedContent = async (
  appContext: Pick<AppContext, 'db' | 'addresses'>,
  userId: UserId,
  kind: MessageKind,
  input: {
    readonly content: string
    readonly origin: string
    readonly fetchPicture?: FetchPicture | undefined
  },
): Promise<string> =>
  kind === 'card' ? cardContent(appContext, userId, input) : textContent(input.content, kind)

/**
 * The content of a text message as it is stored; in KMarkdown `:smile:` is stored as the emoji it names.
 * protocol.md §6.4.
 * @throws Failure message.empty, message.too_long
 */
export function textContent(typed: string, kind: MessageKind): string {
  const text = withoutSignatures(withoutOverrides(clean(typed)))
  const content = kind === 'kmarkdown' ? withShortcodes(text, emojiNamed) : text
  const isShown = kind === 'kmarkdown' ? showsAnything(content) : isVisible(content)
  if (!isShown) throw fail('message.empty')
  if (content.length > CONTENT_MAX) throw fail('message.too_long', { most: CONTENT_MAX })
  return content
}

/**
 * There are no templates yet, so content for one is refused.
 * @throws Failure message.template_unknown
 */
export function refuseTemplate(id: string): void {
  if (id !== '') throw fail('message.template_unknown')
}

/** The JSON inside `content` of a v2 call. Content that is not a JSON object is plain text. */
export function readSendBody({
  content,
  objectName = TEXT_OBJECT,
}: {
  readonly content: string
  readonly objectName?: string | undefined
}): {
  readonly kind: MessageKind | null
  readonly content: string
  readonly quote?: string | undefined
  readonly looks?: VideoLooks
} {
  const { type, content: said, quote, ...looks } = readJson(content, objectName)
  return { kind: kindOf(type, 'specification'), content: said, quote, looks }
}

function readJson(content: string, objectName: string): SendBody {
  const media = MEDIA_OBJECTS[objectName]
  if (media) return readMedia(content, media)
  if (objectName !== TEXT_OBJECT) throw fail('message.kind_refused')
  if (!content.trimStart().startsWith('{')) return { content, type: kindNumber('text', 'specification') }
  let json: unknown
  try {
    json = JSON.parse(content)
  } catch {
    throw fail('bad_json')
  }
  const body = sendBody.safeParse(json)
  if (body.success) return body.data
  const fields = body.error.issues.map((issue) => ['content', ...issue.path].join('.'))
  throw fail('bad_input', { fields })
}

/** Content of a kind of media: JSON with the address in one of the fields, or the address alone. */
function readMedia(content: string, kind: MessageKind): SendBody {
  const type = kindNumber(kind, 'specification')
  if (!content.trimStart().startsWith('{')) return { content, type }
  let json: Readonly<Record<string, unknown>>
  try {
    json = JSON.parse(content)
  } catch {
    throw fail('bad_json')
  }
  const address = ADDRESS_FIELDS.map((field) => json[field]).find(
    (it): it is string => typeof it === 'string' && /^https?:/.test(it),
  )
  if (address === undefined) throw fail('bad_input', { fields: ['content'] })
  return { content: address, type }
}

/** The plain-text preview of a message; of a card the beginning of its text, or a placeholder. */
export const previewText = (kind: MessageKind, text: string): string =>
  kind === 'card' ? text.slice(0, CARD_TEXT_MAX).toWellFormed() || messageText[defaultLocale].card : text
