/**
 * Message kinds by name, and their numbers in the two dialects: the specification's for v2 calls and people's
 * connections, the public protocol's for v3 calls and bots. chat.md §3, protocol.md §3.1 and §9.3.
 * The object names of v2 calls: `server/src/message/content.ts`.
 */
export type MessageKind =
  | 'text'
  | 'image'
  | 'file'
  | 'video'
  | 'welcome'
  | 'voice'
  | 'kmarkdown'
  | 'card'
  | 'plain'

const specification: Readonly<Record<MessageKind, number>> = {
  text: 1,
  image: 2,
  file: 3,
  video: 4,
  welcome: 7,
  voice: 8,
  kmarkdown: 9,
  card: 10,
  plain: 200,
}
const publicProtocol: Readonly<Record<MessageKind, number>> = { ...specification, video: 3, file: 4 }

export type NumberDialect = 'specification' | 'public'

const numbers = { specification, public: publicProtocol }

export const kindNumber = (kind: MessageKind, dialect: NumberDialect): number => numbers[dialect][kind]

/** The kind of a number, or null for one that this version does not know. */
export function kindOf(number: number, dialect: NumberDialect): MessageKind | null {
  const entry = Object.entries(numbers[dialect]).find(([, value]) => value === number)
  return entry ? (entry[0] as MessageKind) : null
}
