import { listGuilds } from '@guildhall/wire/guild/guild.ts'
import { useNavigate, useSearchParams } from 'react-router'
import { findNamed } from '../kit/find/findNamed.ts'
import { useText } from '../kit/i18n.ts'
import { pathBackTo } from '../kit/redir.ts'
import { useRouteQuery } from '../kit/routeQuery.ts'
import { leavePage } from '../native/shellPage.ts'
import { Picker } from '../ui/overlay/Picker.tsx'
import { GuildIcon } from '../ui/picture/GuildIcon.tsx'
import { BoostedGuildDrawing } from './drawings.tsx'
import { text } from './text.ts'

/**
 * /select-guild?from=&action=: picks a guild of one's own, and goes back with `?guild_id=`. commerce.md §2,
 * §5.
 */
export default function SelectGuildScreen() {
  const t = useText(text)
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const guilds = useRouteQuery(listGuilds, {})
  const search = (typed: string) =>
    guilds.answer &&
    findNamed(guilds.answer, typed, ({ name, spelling = '' }) => [[name, spelling]]).map((it) => ({
      key: it.id,
      picture: <GuildIcon id={it.id} name={it.name} src={it.icon} size={44} />,
      name: it.name,
      more: t.packs(it.boost_num),
      side: t.level(it.level),
    }))
  return (
    <Picker
      title={t.pick}
      searchLabel={t.search}
      search={search}
      failure={
        guilds.failure && { title: t.failed, message: guilds.failure.message, onRetry: guilds.refetch }
      }
      empty={{ icon: <BoostedGuildDrawing />, none: t.noGuilds, noMatch: t.notFound }}
      onPick={(guild_id) =>
        void navigate(pathBackTo(query.get('from'), '/account/boost', { guild_id }), { replace: true })
      }
      onBack={() => void leavePage()}
    />
  )
}
