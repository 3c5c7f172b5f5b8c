import { GUILD_CATEGORIES, type GuildCategory } from '@guildhall/wire/guild/category.ts'
import {
  DISCOVERY_SEARCH_MAX,
  DISCOVERY_SORTS,
  type DiscoverySort,
  listDiscoverables,
} from '@guildhall/wire/profile/discovery.ts'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { useText } from '../../kit/i18n.ts'
import { paths } from '../../kit/paths.ts'
import { useRouteQuery } from '../../kit/routeQuery.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Chip, ChipGroup, ChipLine } from '../../ui/Chips.tsx'
import { SearchField } from '../../ui/form/SearchField.tsx'
import { useSearch } from '../../ui/form/useSearch.ts'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { Loaded } from '../../ui/state/Loaded.tsx'
import { categoryText } from '../categoryText.ts'
import styles from './DiscoverPart.module.css'
import { discoverText, sortText } from './discoverText.ts'
import { DiscoverDrawing } from './drawings.tsx'
import { CardSkeleton, GuildCard } from './GuildCard.tsx'

/** Cards of a page: full rows of two, three and four. */
const PAGE_SIZE = 24
/** Cards that wait: as many as a desk shows at first. */
const WAITING = [0, 1, 2, 3, 4, 5, 6, 7]

/** What is looked for beside the search. Another one begins with the first page. */
interface Choice {
  readonly category: GuildCategory | ''
  readonly sort: DiscoverySort
}

/** /discover beside the rail: recommended guilds, searched, sorted, by what they are about, and joined. */
export default function DiscoverPart() {
  const t = useText(discoverText)
  // The start page leads to one of them.
  const [query] = useSearchParams()
  const of = useSearch(query.get('search') ?? '')
  const search = of.search.slice(0, DISCOVERY_SEARCH_MAX)
  const [choice, setChoice] = useState<Choice>({ category: '', sort: '-boost_num' })
  const asked = `${search}\n${choice.category}\n${choice.sort}`
  const [turned, setTurned] = useState({ asked, page: 1 })
  const page = turned.asked === asked ? turned.page : 1
  const found = useRouteQuery(listDiscoverables, { search, ...choice, page, page_size: PAGE_SIZE })
  // While the next search runs, what was found before stays.
  const [last, setLast] = useState(found.answer)
  if (found.answer && found.answer !== last) setLast(found.answer)
  const answer = found.answer ?? last
  return (
    <div className={styles.screen}>
      <h1 className={styles.title}>{t.title}</h1>
      <SearchField label={t.search} hint={t.hint} of={of} />
      <Choices of={choice} categories={answer?.categories ?? []} onChange={setChoice} />
      <Loaded
        of={{ ...found, answer: found.failure ? null : answer }}
        title={t.failed}
        wait={<Waiting label={t.loading} />}
      >
        {({ items }) =>
          items.length === 0 ? (
            <Nothing
              isSearched={search !== '' || choice.category !== ''}
              onAll={() => {
                of.setTyped('')
                setChoice({ ...choice, category: '' })
              }}
            />
          ) : (
            <ul className={styles.list} aria-busy={found.status === 'loading' || undefined}>
              {items.map((guild) => (
                <li key={guild.id}>
                  <GuildCard guild={guild} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <Pages
        page={page}
        of={answer?.meta.page_total ?? 0}
        onChange={(next) => setTurned({ asked, page: next })}
      />
    </div>
  )
}

/**
 * One line: how they are sorted, then the categories that there are. These come last, so that nothing moves
 * when they are known.
 */
function Choices(props: { of: Choice; categories: readonly string[]; onChange: (choice: Choice) => void }) {
  const { of, onChange } = props
  const t = useText(discoverText)
  const sorts = useText(sortText)
  const names = useText(categoryText)
  const known = GUILD_CATEGORIES.filter((each) => each === of.category || props.categories.includes(each))
  return (
    <ChipLine>
      <ChipGroup label={t.sort}>
        {DISCOVERY_SORTS.map((sort) => (
          <Chip key={sort} isOn={of.sort === sort} onPress={() => onChange({ ...of, sort })}>
            {sorts[sort]}
          </Chip>
        ))}
      </ChipGroup>
      {known.length > 0 && (
        <ChipGroup label={t.categories}>
          {known.map((category) => (
            <Chip
              key={category}
              isOn={of.category === category}
              onPress={() => onChange({ ...of, category: of.category === category ? '' : category })}
            >
              {names[category]}
            </Chip>
          ))}
        </ChipGroup>
      )}
    </ChipLine>
  )
}

const Waiting = ({ label }: { label: string }) => (
  <div className={styles.list} role="status" aria-label={label}>
    {WAITING.map((at) => (
      <CardSkeleton key={at} />
    ))}
  </div>
)

function Nothing({ isSearched, onAll }: { isSearched: boolean; onAll: () => void }) {
  const t = useText(discoverText)
  return (
    <EmptyState
      icon={<DiscoverDrawing />}
      title={isSearched ? t.noMatch : t.none}
      message={isSearched ? t.noMatchWhy : t.why}
      action={
        isSearched ? (
          <Button kind="soft" onPress={onAll}>
            {t.all}
          </Button>
        ) : (
          <Link className={buttonClass('soft')} to={paths.channels()}>
            {t.myGuilds}
          </Link>
        )
      }
    />
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
