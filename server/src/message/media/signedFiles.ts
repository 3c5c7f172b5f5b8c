/**
 * Files in channels that not everybody may view: their addresses are signed as a message goes out, never as
 * it is stored. The signature is for the channel, so that an address which somebody has typed opens nothing
 * that the channel does not show. Decision 109.
 */
import type { ChannelId } from '@guildhall/wire/id.ts'
import { embedsAppended, messageUpdated } from '@guildhall/wire/message/action.ts'
import { mediaKinds } from '@guildhall/wire/message/attachment.ts'
import { kindOf } from '@guildhall/wire/message/kind.ts'
import type { GuildEvent } from '../../kit/events/bus.ts'
import type { AppContext } from '../../kit/events/events.ts'
import type { FileAddresses } from '../../kit/files/fileAddresses.ts'

type Addresses = Pick<FileAddresses, 'signed' | 'signedIn'>
type Fields = Readonly<Record<string, unknown>>

/** A channel, and whether not everybody of its guild may view it. */
export interface SignedIn {
  readonly channel: { readonly id: ChannelId }
  readonly isPrivate: boolean
}

/** A message, or what changed of it, as those who may view the channel receive it. */
export const readableIn =
  ({ addresses }: Pick<AppContext, 'addresses'>, { channel, isPrivate }: SignedIn) =>
  <M extends object>(message: M): M =>
    isPrivate && addresses ? withSignatures(addresses, channel.id, message) : message

/** The same for an event of such a channel; those that show no files are unchanged. */
export function readableEvent(addresses: Addresses, event: GuildEvent): GuildEvent {
  if (event.channelId === null) return event
  const sign = <M extends object>(message: M) =>
    withSignatures(addresses, event.channelId as ChannelId, message)
  if (event.kind === 'message') {
    const body = event.body as { readonly message: object }
    return { ...event, body: { ...body, message: sign(body.message) } }
  }
  if (event.kind === messageUpdated.name || event.kind === embedsAppended.name)
    return { ...event, body: sign(event.body as object) }
  return event
}

/** Where attachments and embeds have the addresses of files that the server has stored itself. */
const OF_ATTACHMENT = ['url', 'fileUrl', 'cover']
const OF_EMBED = { image: ['url'], link: ['image'], 'bili-video': ['pic'] }

function withSignatures<M extends object>(addresses: Addresses, channelId: ChannelId, message: M): M {
  const { content, type, attachments, quote, embeds } = message as Fields
  const sign = (address: unknown) =>
    typeof address === 'string' ? addresses.signed(address, channelId) : address
  const within = (fields: unknown, names: readonly string[]) =>
    isFields(fields)
      ? {
          ...fields,
          ...Object.fromEntries(
            names.flatMap((name) => (name in fields ? [[name, sign(fields[name])]] : [])),
          ),
        }
      : fields
  return {
    ...message,
    ...(typeof content === 'string' && {
      content: isAddress(type) ? sign(content) : addresses.signedIn(content, channelId),
    }),
    ...(isFields(attachments) && { attachments: within(attachments, OF_ATTACHMENT) }),
    ...(isFields(quote) && { quote: withSignatures(addresses, channelId, quote) }),
    ...(Array.isArray(embeds) && {
      embeds: embeds.map((it: unknown) =>
        within(it, OF_EMBED[(it as { type: keyof typeof OF_EMBED }).type] ?? []),
      ),
    }),
  }
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/** What changed of a message has no kind: files are not edited. */
const isAddress = (type: unknown): boolean => {
  const kind = typeof type === 'number' ? kindOf(type, 'specification') : null
  return kind != null && kind in mediaKinds
}
