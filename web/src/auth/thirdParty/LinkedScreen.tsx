import { linkThirdParty, listThirdParties, unlinkThirdParty } from '@guildhall/wire/auth/linked.ts'
import { beginPath, offeredThirdParties, type ThirdPartyName } from '@guildhall/wire/auth/thirdPartyNames.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { writeStored } from '../../kit/browser/storage.ts'
import { useContactWords } from '../../kit/browser/useContactWords.ts'
import type { CallFailure } from '../../kit/call.ts'
import { timeLabel } from '../../kit/format/time.ts'
import { useLocale, useText } from '../../kit/i18n.ts'
import { invalidateRoute, useRouteQuery } from '../../kit/routeQuery.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { toast } from '../../ui/overlay/Toast.tsx'
import { Loaded } from '../../ui/state/Loaded.tsx'
import { ChangePage, useBackToAccount, WithOwner } from '../change/ChangePage.tsx'
import { ProofStep } from '../owner/ProofStep.tsx'
import { useWay } from '../ways/useWay.ts'
import styles from './LinkedScreen.module.css'
import { linkedText } from './linkedText.ts'
import { ThirdPartySign } from './ThirdPartySign.tsx'
import { LINKED, type ThirdPartyAnswer } from './thirdPartyReturn.ts'

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
        <WithOwner>
          {(hasPassword) =>
            chosen ? (
              <ProofStep
                route={unlinkThirdParty}
                input={{ token_type: chosen }}
                page="linked"
                why={t.unlinkWhy(t[chosen])}
                button={t.unlinkOf(t[chosen])}
                danger
                hasPassword={hasPassword}
                onDone={() => done(t.done)}
              />
            ) : (
              <LinkStep returned={returned} hasPassword={hasPassword} onDone={() => done(t.linked)} />
            )
          }
        </WithOwner>
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
function useReturned() {
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
    /** The problem is none where this is linked. */
    unlessLinked: state?.unlessLinked,
    /** Drops the answer. `problem`: what the page says in its place; empty: nothing. */
    clear: (problem: string, unlessLinked?: ThirdPartyName) =>
      void navigate('.', { replace: true, state: { problem, unlessLinked } }),
  }
}

/** The proof that links the account of an answer. */
function LinkStep(props: {
  returned: ReturnType<typeof useReturned>
  hasPassword: boolean
  onDone: () => void
}) {
  const t = useText(linkedText)
  const { answer, clear } = props.returned
  if (!answer) return null
  const { provider, code, state } = answer
  const name = t[provider]
  const problemOf = (failure: CallFailure): string | null => {
    if (failure.name === 'auth.third_part_state') return t.expired
    if (failure.name === 'auth.third_part_refused') return t.refused(name)
    if (failure.name === 'auth.bind_other') return t.other(name)
    return failure.name.startsWith('auth.third_part') ? failure.message : null
  }
  return (
    <ProofStep
      route={linkThirdParty}
      input={{ token_type: provider, auth_code: code, state }}
      page="linked"
      why={t.linkWhy(name)}
      button={t.linkOf(name)}
      hasPassword={props.hasPassword}
      onDone={props.onDone}
      onRefused={(failure) => {
        const problem = problemOf(failure)
        if (problem === null) return false
        // An earlier try may have linked it, whose answer was lost on the way.
        invalidateRoute(listThirdParties)
        clear(problem, failure.name === 'auth.third_part_state' ? provider : undefined)
        return true
      }}
    />
  )
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
