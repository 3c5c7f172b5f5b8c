import { listRooms } from '@guildhall/wire/channel/rooms.ts'
import { viewChat } from '@guildhall/wire/chat/chat.ts'
import { listFriends } from '@guildhall/wire/friend/friend.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { findCallable, SEARCH_MAX } from '@guildhall/wire/message/mention.ts'
import { dateRangeOf } from '@guildhall/wire/search/date.ts'
import type { Operator } from '@guildhall/wire/search/query.ts'
import { useEffect } from 'react'
import { useMe } from '../../auth/auth.ts'
import { findNamed } from '../../kit/find/findNamed.ts'
import { useText } from '../../kit/i18n.ts'
import { useRouteQuery } from '../../kit/routeQuery.ts'
import { useDebounced } from '../../kit/useDebounced.ts'
import type { Asked } from '../address.ts'
import { operatorText } from '../text.ts'
import type { Suggestion } from './QueryField.tsx'
import { operatorWhyText, suggestText } from './suggestText.ts'
import { typingAt, withOperator, withValue, wordAt } from './typing.ts'

interface Value {
  readonly value: string
  readonly label: string
  readonly detail: string
}

/** Gives the field what completes the query at the caret. It is loaded with the first key. */
export default function Suggestions(props: {
  asked: Asked
  typed: string
  caret: number
  onChange: (all: readonly Suggestion[]) => void
}) {
  const { onChange } = props
  const all = useSuggestions(props.asked, props.typed, props.caret)
  const key = JSON.stringify(all)
  // biome-ignore lint/correctness/useExhaustiveDependencies: others than before
  useEffect(() => onChange(all), [key])
  return null
}

const SHOWN_MAX = 8
const PEOPLE_AFTER_MS = 120

/** What completes the query at the caret: values of an operator, or operators that a word begins. */
function useSuggestions(asked: Asked, typed: string, caret: number): Suggestion[] {
  const t = useText(suggestText)
  const tOperator = useText(operatorText)
  const tWhy = useText(operatorWhyText)
  const typing = typingAt(typed, caret)
  const people = usePeople(asked, isOfPerson(typing?.operator) ? (typing?.value ?? '') : null)
  const rooms = useRouteQuery(listRooms, {}, typing?.operator === 'in').answer ?? []
  if (!typing) {
    const word = wordAt(typed, caret).toLowerCase()
    if (word === '') return []
    return (Object.keys(tOperator) as Operator[])
      .filter((it) => tOperator[it].startsWith(word) || it.startsWith(word))
      .map((it) => ({
        label: `${tOperator[it]}:`,
        detail: tWhy[it],
        ...withOperator(typed, caret, tOperator[it]),
      }))
  }
  const plain = (all: readonly string[], detail = ''): Value[] =>
    all.map((value) => ({ value, label: value, detail }))
  const begins = (all: readonly string[]) =>
    plain(all.filter((it) => it.startsWith(typing.value.toLowerCase())))
  const values = (): readonly Value[] => {
    switch (typing.operator) {
      case 'from':
      case 'mentions':
        return people
      case 'in':
        return [
          ...plain(chatsIn(asked, t.chats, typing.value), t.chatsWhy),
          ...roomsIn(asked, rooms, typing.value),
        ]
      case 'has':
        return begins(t.having)
      case 'is':
        return begins(t.being)
      default:
        return dateRangeOf(typing.value, Date.now()) ? plain([typing.value]) : begins(t.dates)
    }
  }
  return values()
    .slice(0, SHOWN_MAX)
    .map(({ value, label, detail }) => ({ label, detail, ...withValue(typed, typing, value) }))
}

const isOfPerson = (operator: Operator | undefined) => operator === 'from' || operator === 'mentions'

/** What all private chats are called, where they may be meant. */
const chatsIn = ({ scope }: Asked, name: string, typed: string): readonly string[] =>
  scope === 'all' && name.startsWith(typed.toLowerCase()) ? [name] : []

function roomsIn(
  { guildId, scope }: Asked,
  rooms: readonly { guild_id: GuildId; name: string; spelling: string }[],
  typed: string,
): Value[] {
  const there = scope === 'all' || guildId === null ? rooms : rooms.filter((it) => it.guild_id === guildId)
  const names = findNamed(there, typed.replace(/^#/, ''), (it) => [[it.name, it.spelling]]).map(
    (it) => it.name,
  )
  return [...new Set(names)].map((name) => ({ value: name, label: `#${name}`, detail: '' }))
}

interface Named {
  readonly username: string
  readonly identify_num: string
  readonly nickname?: string
}

/** People of the guild from which one came, the two of a conversation, else oneself and friends. */
function usePeople({ guildId, chatCode }: Asked, typed: string | null): Value[] {
  const t = useText(suggestText)
  const me = useMe()
  const search = useDebounced((typed ?? '').slice(0, SEARCH_MAX), PEOPLE_AFTER_MS)
  const isAsked = typed !== null
  const members = useRouteQuery(
    findCallable,
    { guild_id: guildId ?? ('' as GuildId), search, page_size: SHOWN_MAX },
    isAsked && guildId !== null,
  ).answer
  const chat = useRouteQuery(viewChat, { chat_code: chatCode ?? '' }, isAsked && chatCode !== null).answer
  const friends = useRouteQuery(listFriends, { type: 'friend' }, isAsked && guildId === null).answer
  if (!isAsked) return []
  const nameOf = (it: Named): Value => {
    const value = `${it.username}#${it.identify_num}`
    const label = it.nickname || it.username
    return {
      value,
      label:
        it.username === me.username && it.identify_num === me.identify_num ? `${label} (${t.me})` : label,
      detail: value,
    }
  }
  if (guildId !== null) return members?.items.map(nameOf) ?? []
  const others = chat ? [chat.target_info] : (friends?.friend ?? []).map((it) => it.friend_info)
  return findNamed<Named>([me, ...others], typed, (it) => [[`${it.username}#${it.identify_num}`, '']]).map(
    nameOf,
  )
}
