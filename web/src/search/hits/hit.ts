/** What a hit says, wherever it is from. Pure. */

import { kindOf, type MessageKind } from '@guildhall/wire/message/kind.ts'
import type { ChatHit } from '@guildhall/wire/search/search.ts'
import { paths } from '../../kit/paths.ts'
import type { Hit } from './useHits.ts'

export const isOfChat = (hit: Hit): hit is ChatHit => hit.channel === null

/** Numbers of kinds are those of the public protocol in this answer. */
export const kindIn = ({ message }: Hit): MessageKind | null => kindOf(message.type, 'public')

/** The names that the message mentions, and its text as it was searched. */
export const namesPartOf = ({ message }: Hit) => message.mention_info

/**
 * Where the message opens, or another one of its room, and what the room's way back needs to lead here.
 */
export const wayTo = (hit: Hit, id = hit.message.id) =>
  isOfChat(hit)
    ? { to: `${paths.chat(hit.chat.code)}?m=${id}`, state: { fromChats: true } }
    : { to: paths.message(hit.guild.id, hit.channel.id, id), state: { from: hit.guild.id } }
