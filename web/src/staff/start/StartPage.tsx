import { staffWaiting, type Waiting } from '@guildhall/wire/staff/waiting.ts'
import { use } from 'react'
import { Link } from 'react-router'
import { useText } from '../../kit/i18n.ts'
import { type RouteQuery, useRouteQuery } from '../../kit/routeQuery.ts'
import { Button } from '../../ui/Button.tsx'
import { AlertIcon, ClockIcon } from '../../ui/icon/icons.tsx'
import { CheckIcon } from '../../ui/icon/laterIcons.tsx'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { SectionPage } from '../parts/Section.tsx'
import type { Section } from '../sections.ts'
import { Self } from '../self.ts'
import { sectionText } from '../text.ts'
import { countLabel, countOf, isCounted } from '../waiting.ts'
import styles from './StartPage.module.css'
import { sectionAboutText, startText } from './startText.ts'

/** /staff: what waits for who is logged in, and the way to all sections that their rights open. */
export function StartPage({ sections }: { sections: readonly Section[] }) {
  const t = useText(startText)
  const self = use(Self)
  const waiting = useRouteQuery(staffWaiting, {})
  const counted = sections.filter(({ name }) => isCounted(name))
  const others = sections.filter(({ name }) => !isCounted(name))
  return (
    <SectionPage title={t.hello(self?.username ?? '')}>
      <Summary sections={counted} waiting={waiting} />
      {counted.length > 0 && (
        <ul className={styles.cards} aria-label={t.waiting}>
          {counted.map((section) => (
            <li key={section.name}>
              <WaitingCard section={section} waiting={waiting} />
            </li>
          ))}
        </ul>
      )}
      {others.length > 0 && <Others sections={others} />}
    </SectionPage>
  )
}

interface WaitingProps {
  readonly waiting: RouteQuery<Waiting>
}

/** One line about all of it: counting, how much, all done, or that it could not be counted. */
function Summary({ sections, waiting }: WaitingProps & { sections: readonly Section[] }) {
  const t = useText(startText)
  if (sections.length === 0) return <p className={styles.summary}>{t.nothingOfYours}</p>
  if (waiting.status === 'failed')
    return (
      <div className={styles.summary} data-kind="bad" role="alert">
        <AlertIcon />
        <p>
          <b>{t.notCounted}</b>
          <span>{waiting.failure.message}</span>
        </p>
        <Button kind="soft" onPress={waiting.refetch}>
          {t.again}
        </Button>
      </div>
    )
  const sum = sections.reduce((all, { name }) => all + countOf(name, waiting.answer), 0)
  // A count that ended at the most makes the sum "at least".
  const isMore = sections.some(({ name }) => countLabel(countOf(name, waiting.answer)).endsWith('+'))
  const isDone = waiting.answer !== null && sum === 0
  return (
    <div className={styles.summary} data-kind={isDone ? 'good' : 'wait'} role="status">
      {isDone ? <CheckIcon /> : <ClockIcon />}
      <p>
        <b>
          {waiting.answer === null ? t.counting : isDone ? t.allDone : t.waits(isMore ? `${sum}+` : `${sum}`)}
        </b>
        {isDone && <span>{t.allDoneWhy}</span>}
      </p>
    </div>
  )
}

/** A section with how much waits in it; it leads to what waits. */
function WaitingCard({ section, waiting }: WaitingProps & { section: Section }) {
  const t = useText(startText)
  const names = useText(sectionText)
  const abouts = useText(sectionAboutText)
  const { name, Icon } = section
  const count = countOf(name, waiting.answer)
  return (
    <Link
      className={styles.card}
      to={name === 'orders' ? '/staff/orders?first=trouble' : `/staff/${name}`}
      data-waits={count > 0 || undefined}
    >
      <span className={styles.icon}>
        <Icon size={22} />
      </span>
      <b>{names[name]}</b>
      <span className={styles.count}>
        {waiting.status === 'loading' ? (
          <Skeleton width={28} height={26} />
        ) : waiting.answer === null ? (
          '–'
        ) : count > 0 ? (
          countLabel(count)
        ) : (
          <>
            <CheckIcon size={22} />
            <span className="unseen">{t.nothing}</span>
          </>
        )}
      </span>
      <span className={styles.about}>{abouts[name]}</span>
    </Link>
  )
}

function Others({ sections }: { sections: readonly Section[] }) {
  const t = useText(startText)
  const names = useText(sectionText)
  const abouts = useText(sectionAboutText)
  return (
    <section aria-label={t.others}>
      <h2 className={styles.title}>{t.others}</h2>
      <ul className={styles.others}>
        {sections.map(({ name, Icon }) => (
          <li key={name}>
            <Link className={styles.other} to={`/staff/${name}`}>
              <Icon size={22} />
              <span>
                <b>{names[name]}</b>
                <span className={styles.about}>{abouts[name]}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
