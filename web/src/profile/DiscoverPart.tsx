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
import { Field } from '../ui/form/Field.tsx'
import { CompassIcon } from '../ui/icon/channelIcons.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import { GuildIcon } from '../ui/picture/GuildIcon.tsx'
import { EmptyState } from '../ui/state/EmptyState.tsx'
import { Loaded } from '../ui/state/Loaded.tsx'
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
  // While the next search runs, what was found before stays.
  const [last, setLast] = useState(found.answer)
  if (found.answer && found.answer !== last) setLast(found.answer)
  const answer = found.answer ?? last
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
      <Loaded of={{ ...found, answer: found.failure ? null : answer }} title={t.failed}>
        {({ items }) =>
          items.length === 0 ? (
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
              {items.map((guild) => (
                <li key={guild.id}>
                  <Card guild={guild} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <Pages page={page} of={answer?.meta.page_total ?? 0} onChange={setPage} />
    </div>
  )
}

function Pages({ page, of, onChange }: { page: number; of: number; onChange: (page: number) => void }) {
  const t = useText(discoverText)
  if (of <= 1) return null
  return (
    <div className={styles.pages}>
      <Button kind="quiet" disabled={page <= 1} onPress={() => onChange(page - 1)}>
        {t.before}
      </Button>
      <span>{t.page(page, of)}</span>
      <Button kind="quiet" disabled={page >= of} onPress={() => onChange(page + 1)}>
        {t.next}
      </Button>
    </div>
  )
}

function Card({ guild }: { guild: Discoverable }) {
  const t = useText(discoverText)
  const navigate = useNavigate()
  const joining = useCall(joinDiscoverable)
  const enter = () => void navigate(paths.guild(guild.id))
  const join = async () => {
    if (!(await joining.run({ guild_id: guild.id }, ({ message }) => toast(message)))) return
    invalidateRoute(listGuilds)
    invalidateRoute(listDiscoverables)
    enter()
  }
  return (
    <article className={styles.card} aria-label={guild.name}>
      <div className={styles.banner}>
        {guild.banner !== '' && (
          <img
            src={hrefOf(guild.banner)}
            srcSet={copiesOf(guild.banner)}
            sizes="360px"
            alt=""
            loading="lazy"
          />
        )}
      </div>
      <div className={styles.body}>
        <GuildIcon id={guild.id} name={guild.name} src={guild.icon} size={48} className={styles.icon} />
        <h2 className={styles.name}>{guild.name}</h2>
        <p className={styles.desc}>{guild.desc}</p>
        <p className={styles.counts}>
          {t.members(guild.members)} · {t.online(guild.online)} · {t.level(guild.level)}
        </p>
        <Button
          block
          kind="soft"
          busy={joining.status === 'busy'}
          aria-label={guild.is_member ? t.enterOf(guild.name) : t.joinOf(guild.name)}
          onPress={guild.is_member ? enter : () => void join()}
        >
          {guild.is_member ? t.enter : t.join}
        </Button>
      </div>
    </article>
  )
}
