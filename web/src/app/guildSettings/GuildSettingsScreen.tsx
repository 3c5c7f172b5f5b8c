import { type Guild, viewGuild } from '@guildhall/wire/channel/channel.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { Link, useLocation, useNavigate } from 'react-router'
import { useText } from '../../kit/i18n.ts'
import { Suspense } from '../../kit/lazy/lazy.tsx'
import { paths } from '../../kit/paths.ts'
import { useRouteQuery } from '../../kit/routeQuery.ts'
import { NextIcon } from '../../ui/icon/icons.tsx'
import { TitledPage } from '../../ui/page/TitledPage.tsx'
import { GuildNotLoaded, NoGuildHere } from '../../ui/state/GuildNotLoaded.tsx'
import { Loaded } from '../../ui/state/Loaded.tsx'
import { LoadingState } from '../../ui/state/LoadingState.tsx'
import styles from './GuildSettings.module.css'
import { addressOf, type Section, sectionsFor, settingsOf } from './sections.ts'
import { followSettingsEvents } from './settingsEvents.ts'
import { text } from './text.ts'

followSettingsEvents()

/**
 * /guild/settings/{guildId} and a section of it: on a phone a list, and each section a page; on a desk the
 * section beside the list.
 */
export default function GuildSettingsScreen({ guildId }: { guildId: GuildId }) {
  const t = useText(text)
  const navigate = useNavigate()
  const guild = useRouteQuery(viewGuild, { id: guildId })
  const { pathname, search, state } = useLocation()
  const [, , , , chosen] = pathname.split('/')
  const sections = guild.answer ? sectionsFor(guild.answer) : []
  const section = sections.find(({ path }) => path === chosen)
  // What a section shows of one of its things is in its query: back leads to the section, or to where the
  // link was.
  const inside = section && search !== '' ? (state?.back ?? pathname) : null
  const back = inside ?? (section ? settingsOf(guildId) : paths.guild(guildId))
  return (
    <TitledPage title={section ? t[section.name] : t.title} onBack={() => void navigate(back)}>
      <main className={styles.screen} data-section={section?.path}>
        <Loaded
          of={guild}
          title={t.failed}
          failed={(failure, onRetry) => (
            <GuildNotLoaded title={t.failed} failure={failure} onRetry={onRetry} />
          )}
        >
          {(answer) =>
            sections.length === 0 ? (
              <NoGuildHere title={t.noRight} />
            ) : (
              <Sections guild={answer} sections={sections} section={section} />
            )
          }
        </Loaded>
      </main>
    </TitledPage>
  )
}

function Sections(props: { guild: Guild; sections: readonly Section[]; section: Section | undefined }) {
  const { guild, sections, section } = props
  const t = useText(text)
  return (
    <>
      <nav className={styles.list} aria-label={t.sections}>
        {sections.map((each) => (
          <Link
            key={each.path}
            className={styles.item}
            to={addressOf(guild, each)}
            aria-current={each === section ? 'page' : undefined}
          >
            {t[each.name]}
            <NextIcon />
          </Link>
        ))}
      </nav>
      <div className={styles.section}>
        {section && 'Part' in section ? (
          <Suspense fallback={<LoadingState />}>
            <section.Part guild={guild} />
          </Suspense>
        ) : (
          <p className={styles.choose}>{t.choose}</p>
        )}
      </div>
    </>
  )
}
