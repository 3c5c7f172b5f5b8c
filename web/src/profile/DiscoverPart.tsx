import { listGuilds } from '@guildhall/wire/guild/guild.ts'
import { type Discoverable, joinDiscoverable, listDiscoverables } from '@guildhall/wire/profile/discovery.ts'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { copiesOf, hrefOf } from '../asset/asset.ts'
import { useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import { invalidateRoute, useRouteQuery } from '../kit/routeQuery.ts'
import { useCall } from '../kit/useCall.ts'
import { useDebounced } from '../kit/useDebounced.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { Field } from '../ui/Field.tsx'
import { GuildIcon } from '../ui/GuildIcon.tsx'
import { CompassIcon } from '../ui/icons.tsx'
import { LoadingState } from '../ui/LoadingState.tsx'
import { toast } from '../ui/Toast.tsx'
import styles from './Discover.module.css'
import { discoverText } from './discoverText.ts'

/** Debounce: pause in typing before the search, ms. */
const SEARCH_AFTER_MS = 250

/** /discover beside the rail: recommended guilds, found by a part of their words, and joined. */
export default function DiscoverPart() {
  const t = useText(discoverText)
  const [typed, setTyped] = useState('')
  const search = useDebounced(typed.trim(), SEARCH_AFTER_MS)
  const [page, setPage] = useState(1)
  const found = useRouteQuery(listDiscoverables, { search, page })
  const { failure } = found
  // While the next search runs, what was found before stays.
  const [last, setLast] = useState(found.answer)
  if (found.answer && found.answer !== last) setLast(found.answer)
  const answer = found.answer ?? last
  const pages = answer?.meta.page_total ?? 0
  return (
    <div className={styles.screen}>
      <h1 className={styles.title}>{t.title}</h1>
      <Field
        label={t.search}
        name="search"
        type="search"
        inputMode="search"
        autoComplete="off"
        maxLength={60}
        value={typed}
        onChange={(value) => {
          setTyped(value)
          setPage(1)
        }}
      />
      {failure ? (
        <ErrorState title={t.failed} message={failure.message} onRetry={found.refetch} />
      ) : !answer ? (
        <LoadingState />
      ) : answer.items.length === 0 ? (
        <EmptyState
          icon={<CompassIcon size={32} />}
          title={search ? t.noMatch : t.none}
          {...(!search && { message: t.why })}
          action={
            <Link className={buttonClass('soft')} to={paths.channels()}>
              {t.myGuilds}
            </Link>
          }
        />
      ) : (
        <ul className={styles.list} aria-busy={found.status === 'loading' || undefined}>
          {answer.items.map((it) => (
            <li key={it.id}>
              <Card it={it} />
            </li>
          ))}
        </ul>
      )}
      {pages > 1 && (
        <div className={styles.pages}>
          <Button kind="quiet" disabled={page <= 1} onPress={() => setPage(page - 1)}>
            {t.before}
          </Button>
          <span>{t.page(page, pages)}</span>
          <Button kind="quiet" disabled={page >= pages} onPress={() => setPage(page + 1)}>
            {t.next}
          </Button>
        </div>
      )}
    </div>
  )
}

function Card({ it }: { it: Discoverable }) {
  const t = useText(discoverText)
  const navigate = useNavigate()
  const joining = useCall(joinDiscoverable)
  const enter = () => void navigate(paths.guild(it.id))
  const join = async () => {
    if (!(await joining.run({ guild_id: it.id }, ({ message }) => toast(message)))) return
    invalidateRoute(listGuilds)
    invalidateRoute(listDiscoverables)
    enter()
  }
  return (
    <article className={styles.card} aria-label={it.name}>
      <div className={styles.banner}>
        {it.banner !== '' && (
          <img src={hrefOf(it.banner)} srcSet={copiesOf(it.banner)} sizes="360px" alt="" loading="lazy" />
        )}
      </div>
      <div className={styles.body}>
        <GuildIcon id={it.id} name={it.name} src={it.icon} size={48} className={styles.icon} />
        <h2 className={styles.name}>{it.name}</h2>
        <p className={styles.desc}>{it.desc}</p>
        <p className={styles.counts}>
          {t.members(it.members)} · {t.online(it.online)} · {t.level(it.level)}
        </p>
        <Button
          block
          kind="soft"
          busy={joining.status === 'busy'}
          aria-label={it.is_member ? t.enterOf(it.name) : t.joinOf(it.name)}
          onPress={it.is_member ? enter : () => void join()}
        >
          {it.is_member ? t.enter : t.join}
        </Button>
      </div>
    </article>
  )
}
