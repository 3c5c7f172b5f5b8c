import {
  decideReview,
  listReviews,
  REVIEW_KINDS,
  type Review,
  viewReview,
} from '@guildhall/wire/staff/reviews.ts'
import { useEffect, useLayoutEffect, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { useText } from '../../kit/i18n.ts'
import { invalidateRoute } from '../../kit/routeQuery.ts'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/overlay/Toast.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { ActDialog } from '../parts/ActDialog.tsx'
import { GuildLink, PersonLink } from '../parts/Links.tsx'
import { Loaded } from '../parts/Page.tsx'
import { Card, Facts, Moment, SectionPage } from '../parts/Section.tsx'
import type { StaffPages } from '../parts/useStaffPages.ts'
import { text } from '../text.ts'
import { targetOf, Whys } from './CaseCell.tsx'
import { HeldMessage } from './HeldMessage.tsx'
import { ProfileChange } from './ProfileChange.tsx'
import { casePath, countOf, isOlder, listPath, queueOf, useKind, useWaiting } from './queue.ts'
import { Decider, Outcome } from './ReviewList.tsx'
import styles from './reviews.module.css'
import { reviewsText } from './reviewsText.ts'
import { Waited } from './Waited.tsx'

/** One case, with the way to the next one. */
export function ReviewCase() {
  const t = useText(text)
  const { kind = '', id = '' } = useParams()
  const known = REVIEW_KINDS.find((each) => each === kind)
  const isId = /^[1-9]\d{0,15}$/.test(id)
  const only = useKind()
  const queue = queueOf(useWaiting(), only, isOlder)
  if (known === undefined || !isId) return <ErrorState title={t.notFound} />
  return (
    <Loaded route={viewReview} input={{ kind: known, id: Number(id) }} back={listPath(only)}>
      {(of) => <Case key={`${kind} ${id}`} of={of} queue={queue} />}
    </Loaded>
  )
}

function Case({ of, queue }: { of: Review; queue: StaffPages<Review> }) {
  const t = useText(reviewsText)
  const navigate = useNavigate()
  const kind = useKind()
  const [step, setStep] = useState<'pass' | 'reject' | null>(null)
  const position = useQueuePosition(of, queue)
  const isWaiting = of.state === 'waiting'
  const leave = () => {
    const to = position.next ?? position.previous
    invalidateRoute(viewReview)
    invalidateRoute(listReviews)
    void navigate(to ?? listPath(kind), { replace: true })
    return to !== null
  }
  const done = () => void (leave() || toast(t.allDone))
  return (
    <SectionPage title={titleOf(t, of)} actions={<Neighbours {...position} />}>
      <Card
        title={isWaiting ? t.waiting : t.decided}
        actions={
          isWaiting && (
            <>
              <Button onPress={() => setStep('pass')}>{t.pass}</Button>
              <Button kind="danger" onPress={() => setStep('reject')}>
                {t.reject}
              </Button>
            </>
          )
        }
      >
        {of.kind === 'message' && <HeldMessage of={of} />}
        <Facts of={factsOf(t, of)} />
      </Card>
      {of.kind === 'guild' && <ProfileChange of={of} />}
      <p className={styles.keys}>{t.keys}</p>
      {step && (
        <ActDialog
          key={step}
          route={decideReview}
          input={{ kind: of.kind, id: Number(of.id), pass: step === 'pass' }}
          title={t.asks(of.kind, step)}
          message={t.follows(of.kind, step)}
          confirm={step === 'pass' ? t.pass : t.reject}
          hasNoReason={step === 'pass'}
          danger={step === 'reject'}
          onDone={done}
          onRefused={({ name }) => {
            // A message that its author took back is gone.
            const why =
              name === 'review.decided' ? t.decidedByOther : name === 'review.unknown' && t.takenBack
            if (!why) return false
            toast(leave() ? t.andNext(why) : why)
            return true
          }}
          onClose={() => setStep(null)}
        />
      )}
    </SectionPage>
  )
}

type Texts = (typeof reviewsText)['zh-CN']

const titleOf = (t: Texts, of: Review): string =>
  of.kind === 'guild' ? t.title(of.guild_name) : t.messageTitle(of.user_name)

const factsOf = (t: Texts, of: Review) => [
  ...targetFacts(t, of),
  [t.by, <PersonLink key="by" id={of.user_id} name={of.user_name} />] as const,
  [t.at, <Moment key="at" at={of.created_at} />] as const,
  ...(of.state === 'waiting'
    ? [
        [t.promised, <Moment key="promised" at={of.promised_by} />] as const,
        [t.waited, <Waited key="waited" of={of} />] as const,
      ]
    : [
        [t.state, <Outcome key="state" of={of} />] as const,
        [t.decidedBy, <Decider key="decidedBy" of={of} />] as const,
        [t.decidedAt, of.decided_at !== null && <Moment key="decidedAt" at={of.decided_at} />] as const,
      ]),
]

/** Of a change its guild; of a message where it would be said, and why it waits. */
const targetFacts = (t: Texts, of: Review) =>
  of.kind === 'guild'
    ? [[t.guild, <GuildLink key="guild" id={of.guild_id} name={of.guild_name} />] as const]
    : [
        [t.target, targetOf(of, t)] as const,
        [
          t.why,
          <span key="why" className={styles.tags}>
            <Whys of={of.why} />
          </span>,
        ] as const,
      ]

interface QueuePosition {
  /** From 1; null: the case does not wait. */
  readonly at: number | null
  /** How many wait; with a plus when there are more. */
  readonly all: string
  /** The paths of the cases beside it; null: there is none. */
  readonly previous: string | null
  readonly next: string | null
}

/** Where a case is in the queue. The pages behind the last loaded one are loaded when it comes near. */
function useQueuePosition(of: Review, queue: StaffPages<Review>): QueuePosition {
  const items = queue.items ?? []
  const at = items.findIndex((it) => it.kind === of.kind && it.id === of.id)
  const isNearEnd = at >= items.length - 2
  const only = useKind()
  const { hasMore, isLoadingMore, loadMore } = queue
  useEffect(() => {
    if (isNearEnd && hasMore && !isLoadingMore) loadMore()
  }, [isNearEnd, hasMore, isLoadingMore, loadMore])
  const pathAt = (index: number) => (items[index] ? casePath(items[index], only) : null)
  return {
    at: at < 0 ? null : at + 1,
    all: countOf(queue),
    previous: at > 0 ? pathAt(at - 1) : null,
    next: at < 0 ? pathAt(0) : pathAt(at + 1),
  }
}

/** The ways to the cases beside one, by buttons and by the keys J and K. */
function Neighbours({ at, all, previous, next }: QueuePosition) {
  const t = useText(reviewsText)
  const navigate = useNavigate()
  const go = (to: string | null) => to !== null && void navigate(to, { replace: true })
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target, key } = event
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
      if (target instanceof Element && target.closest('input,textarea,select,[aria-modal]')) return
      if (document.querySelector('[aria-modal]')) return
      const to = key === 'j' ? next : key === 'k' ? previous : null
      if (to !== null) void navigate(to, { replace: true })
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [next, previous, navigate])
  return (
    <>
      {at !== null && <span className={styles.position}>{t.queue(at, all)}</span>}
      <Button kind="quiet" disabled={previous === null} aria-keyshortcuts="K" onPress={() => go(previous)}>
        {t.previous}
      </Button>
      <Button kind="quiet" disabled={next === null} aria-keyshortcuts="J" onPress={() => go(next)}>
        {t.next}
      </Button>
    </>
  )
}
