import { searchMessages } from '@guildhall/wire/search/search.ts'
import { dayLabel, sameDay } from '../../kit/format/time.ts'
import { useLocale, useText } from '../../kit/i18n.ts'
import { inputOf } from '../address.ts'
import styles from '../SearchScreen.module.css'
import { HitRow } from './HitRow.tsx'
import { HitsState, type ShownProps } from './HitsState.tsx'
import { hitsText } from './hitsText.ts'
import { countLabel, type Hit, useHits } from './useHits.ts'

/** Messages that were found, the newest first under their days, or the best first. */
export default function MessageHits(props: ShownProps) {
  const { asked } = props
  const t = useText(hitsText)
  const input = { ...inputOf(asked), sort: asked.sort }
  const hits = useHits(searchMessages, input, props.isComingBack)
  const { found } = hits
  return (
    <HitsState {...props} hits={hits}>
      {found && (
        <>
          <p className={styles.count} role="status">
            {t.count(countLabel(found))}
          </p>
          {asked.sort === 'fit' ? (
            <ul>
              {found.items.map((hit) => (
                <HitRow
                  key={hit.message.id}
                  hit={hit}
                  asked={asked}
                  isUnderDay={false}
                  onOpen={props.onOpen}
                />
              ))}
            </ul>
          ) : (
            <Days {...props} items={found.items} />
          )}
        </>
      )}
    </HitsState>
  )
}

/** Messages under their days. */
function Days(props: ShownProps & { items: readonly Hit[] }) {
  const locale = useLocale()
  const now = Date.now()
  const days: Hit[][] = []
  for (const hit of props.items) {
    const day = days.at(-1)
    if (day?.[0] && sameDay(day[0].message.create_at, hit.message.create_at)) day.push(hit)
    else days.push([hit])
  }
  return days.map((day) => {
    const at = day[0]!.message.create_at
    const label = dayLabel(at, now, locale)
    return (
      <section key={at} aria-label={label}>
        <h2 className={styles.day}>{label}</h2>
        <ul>
          {day.map((hit) => (
            <HitRow key={hit.message.id} hit={hit} asked={props.asked} isUnderDay onOpen={props.onOpen} />
          ))}
        </ul>
      </section>
    )
  })
}
