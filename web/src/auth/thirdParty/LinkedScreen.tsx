import { listThirdParties } from '@guildhall/wire/auth/linked.ts'
import { beginPath, offeredThirdParties, type ThirdPartyName } from '@guildhall/wire/auth/thirdPartyNames.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { writeStored } from '../../kit/browser/storage.ts'
import { useContactWords } from '../../kit/browser/useContactWords.ts'
import { timeLabel } from '../../kit/format/time.ts'
import { useLocale, useText } from '../../kit/i18n.ts'
import { lazy, Suspense } from '../../kit/lazy/lazy.tsx'
import { loadPart } from '../../kit/lazy/lazyPart.ts'
import { invalidateRoute, useRouteQuery } from '../../kit/routeQuery.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { toast } from '../../ui/overlay/Toast.tsx'
import { Loaded } from '../../ui/state/Loaded.tsx'
import { LoadingState } from '../../ui/state/LoadingState.tsx'
import { ChangePage, useBackToAccount } from '../change/ChangePage.tsx'
import { useWay } from '../ways/useWay.ts'
import styles from './LinkedScreen.module.css'
import { linkedText } from './linkedText.ts'
import { ThirdPartySign } from './ThirdPartySign.tsx'
import { LINKED, type Returned, type ThirdPartyAnswer } from './thirdPartyReturn.ts'

const LinkedStep = lazy(() => loadPart(() => import('./LinkedStep.tsx')))

type Linked = AnswerOf<typeof listThirdParties>['items']

/** /account/linked: the accounts at third parties that log one in, linking and unlinking them. */
export default function LinkedScreen() {
  const t = useText(linkedText)
  const leave = useBackToAccount()
  const linked = useRouteQuery(listThirdParties, {})
  const [chosen, setChosen] = useState<ThirdPartyName | null>(null)
  const returned = useReturned()
  const backToList = () => {
    setChosen(null)
    returned.clear('')
  }
  const done = (message: string) => {
    invalidateRoute(listThirdParties)
    backToList()
    toast(message)
  }
  const step = chosen || returned.answer
  return (
    <ChangePage title={t.title} onBack={step ? backToList : leave}>
      {step ? (
        <Suspense fallback={<LoadingState />}>
          <LinkedStep chosen={chosen} returned={returned} onDone={() => done(chosen ? t.done : t.linked)} />
        </Suspense>
      ) : (
        <Loaded of={linked} title={t.failed} page>
          {({ items }) => (
            <List
              items={items}
              problem={items.some((it) => it.token_type === returned.unlessLinked) ? '' : returned.problem}
              onUnlink={setChosen}
            />
          )}
        </Loaded>
      )}
    </ChangePage>
  )
}

/**
 * What a provider sent back, which stands in the history entry: an answer that waits for the proof of the
 * owner, or why there is none.
 */
function useReturned(): Returned {
  const t = useText(linkedText)
  const navigate = useNavigate()
  const state: {
    readonly returned?: ThirdPartyAnswer
    readonly problem?: string
    readonly unlessLinked?: ThirdPartyName
  } | null = useLocation().state
  const answer = state?.returned ?? null
  const name = answer && t[answer.provider]
  const isMissing = answer !== null && (answer.isError || answer.code === '')
  return {
    answer: isMissing ? null : answer,
    problem:
      isMissing && name ? (answer.isError ? t.refused(name) : t.cancelled(name)) : (state?.problem ?? ''),
    unlessLinked: state?.unlessLinked,
    clear: (problem, unlessLinked) => void navigate('.', { replace: true, state: { problem, unlessLinked } }),
  }
}

/** What is linked, and what could be. */
function List(props: { items: Linked; problem: string; onUnlink: (name: ThirdPartyName) => void }) {
  const { items, problem, onUnlink } = props
  const t = useText(linkedText)
  const locale = useLocale()
  const { contact } = useContactWords()
  const { ways: bindsTo } = useWay(['sms', 'email'])
  const [offered] = useState(() => offeredThirdParties(document.cookie))
  const names = [...new Set([...items.map((it) => it.token_type), ...offered])]
  const sinceOf = (name: ThirdPartyName) => items.find((it) => it.token_type === name)?.created_at
  return (
    <main className={styles.linked}>
      {problem !== '' && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <ul className={styles.card}>
        {names.map((name) => {
          const since = sinceOf(name)
          return (
            <li key={name} className={styles.row} data-part="linked">
              <ThirdPartySign of={name} size={40} />
              <div className={styles.words}>
                <p className={styles.name}>{t[name]}</p>
                <p className={styles.since}>
                  {since === undefined ? t.notLinked : t.since(timeLabel(since, Date.now(), locale))}
                </p>
              </div>
              {since === undefined ? (
                <a
                  className={buttonClass('soft')}
                  href={beginPath(name)}
                  aria-label={t.linkOf(t[name])}
                  onClick={() => writeStored('login_redir', LINKED)}
                >
                  {t.link}
                </a>
              ) : (
                <Button kind="quiet" aria-label={t.unlinkOf(t[name])} onPress={() => onUnlink(name)}>
                  {t.unlink}
                </Button>
              )}
            </li>
          )
        })}
      </ul>
      {bindsTo.length > 0 && <p className={styles.hint}>{t.why(contact)}</p>}
    </main>
  )
}
