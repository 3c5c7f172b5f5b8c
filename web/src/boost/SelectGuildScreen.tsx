import { type GuildSummary, listGuilds } from '@guildhall/wire/guild/guild.ts'
import { useEffect, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { useText } from '../kit/i18n.ts'
import { safeRedir } from '../kit/redir.ts'
import { useRouteQuery } from '../kit/routeQuery.ts'
import { leavePage } from '../native/shellPage.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import festive from '../ui/Festive.module.css'
import { Field } from '../ui/Field.tsx'
import { GuildIcon } from '../ui/GuildIcon.tsx'
import { GuildsIcon } from '../ui/icons.tsx'
import { LoadingState } from '../ui/LoadingState.tsx'
import { Page } from '../ui/Page.tsx'
import { TopBar } from '../ui/TopBar.tsx'
import styles from './Boost.module.css'
import { text } from './text.ts'

/** /select-guild?from=&action=: picks a guild of one's own, and goes back with `?guild_id=`. commerce.md §2, §5. */
export default function SelectGuildScreen() {
  const t = useText(text)
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const guilds = useRouteQuery(listGuilds, {})
  const [wanted, setWanted] = useState('')
  useEffect(() => {
    document.title = `${t.pick} · ${t.product}`
  }, [t])
  const pick = ({ id }: GuildSummary) => {
    const from = safeRedir(query.get('from')) ?? '/account/boost'
    const mark = from.includes('?') ? '&' : '?'
    void navigate(`${from}${mark}guild_id=${id}`, { replace: true })
  }
  const found = guilds.answer?.filter(({ name }) => name.toLowerCase().includes(wanted.trim().toLowerCase()))
  return (
    <Page>
      <TopBar title={t.pick} onBack={() => void leavePage()} />
      <main className={`${festive.page} ${styles.screen}`}>
        <Field
          label={t.search}
          name="search"
          type="search"
          autoComplete="off"
          value={wanted}
          onChange={setWanted}
        />
        {found ? (
          found.length === 0 ? (
            <EmptyState icon={<GuildsIcon size={32} />} title={wanted ? t.notFound : t.noGuilds} />
          ) : (
            <ul className={styles.list}>
              {found.map((it) => (
                <li key={it.id}>
                  <button type="button" className={styles.row} onClick={() => pick(it)}>
                    <GuildIcon id={it.id} name={it.name} src={it.icon} size={44} />
                    <span className={styles.rowWords}>
                      <span className={styles.rowName}>{it.name}</span>
                      <span className={styles.rowMore}>{t.packs(it.boost_num)}</span>
                    </span>
                    <span className={styles.rowCount}>{t.level(it.level)}</span>
                  </button>
                </li>
              ))}
            </ul>
          )
        ) : guilds.failure ? (
          <ErrorState title={t.failed} message={guilds.failure.message} onRetry={guilds.refetch} />
        ) : (
          <LoadingState />
        )}
      </main>
    </Page>
  )
}
