import { type Channel, type Guild, viewGuild } from '@guildhall/wire/channel/channel.ts'
import { viewActivity, type LastWords as Words } from '@guildhall/wire/message/activity.ts'
import { kindOf } from '@guildhall/wire/message/kind.ts'
import { useText } from '../kit/i18n.ts'
import { useRouteQuery } from '../kit/routeQuery.ts'
import { authorNameOf, useQuoteLine } from './Quoted.tsx'
import { text } from './text.ts'

/** What was said last in a channel and by whom, else its topic. */
export default function LastWords({ channel }: { channel: Channel }) {
  const t = useText(text)
  const { guild_id } = channel
  const guild = useRouteQuery(viewGuild, { id: guild_id }).answer
  const activity = useRouteQuery(viewActivity, { guild_id })
  if (activity.status === 'loading') return null
  const known = activity.answer?.channels.find(({ channel_id }) => channel_id === channel.id)
  if (known?.last_words) return <Said words={known.last_words} guild={guild} />
  return channel.topic || (known ? t.nothingYet : null)
}

function Said({ words, guild }: { words: Words; guild: Guild | null }) {
  const t = useText(text)
  const quote = { ...words, can_jump: true }
  const line = useQuoteLine(quote, guild)
  const name = authorNameOf(quote)
  return kindOf(words.type, 'specification') === 'welcome' ? t.welcome(name) : t.said(name, line)
}
