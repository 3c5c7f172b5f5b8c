import { listThirdParties, unlinkThirdParty } from '@guildhall/wire/auth/linked.ts'
import { offeredThirdParties, type ThirdPartyName } from '@guildhall/wire/auth/thirdPartyNames.ts'
import { userState } from '@guildhall/wire/auth/userState.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import { useState } from 'react'
import { useContactWords } from '../../kit/browser/useContactWords.ts'
import { timeLabel } from '../../kit/format/time.ts'
import { useLocale, useText } from '../../kit/i18n.ts'
import { invalidateRoute, useRouteQuery } from '../../kit/routeQuery.ts'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/overlay/Toast.tsx'
import { both, Loaded } from '../../ui/state/Loaded.tsx'
import { ChangePage, useBackToAccount } from '../change/ChangePage.tsx'
import { ProofStep } from '../owner/ProofStep.tsx'
import { useWay } from '../ways/useWay.ts'
import styles from './LinkedScreen.module.css'
import { linkedText } from './linkedText.ts'

type Linked = AnswerOf<typeof listThirdParties>['items']

/** /account/linked: the accounts at third parties that log one in, and unlinking them. */
export default function LinkedScreen() {
  const t = useText(linkedText)
  const leave = useBackToAccount()
  const state = both(useRouteQuery(listThirdParties, {}), useRouteQuery(userState, {}))
  const [chosen, setChosen] = useState<ThirdPartyName | null>(null)
  const unlinked = () => {
    invalidateRoute(listThirdParties)
    setChosen(null)
    toast(t.done)
  }
  return (
    <ChangePage title={t.title} onBack={chosen ? () => setChosen(null) : leave}>
      <Loaded of={state} title={t.failed} page>
        {([{ items }, session]) =>
          chosen ? (
            <ProofStep
              route={unlinkThirdParty}
              input={{ token_type: chosen }}
              page="linked"
              why={t.unlinkWhy(t[chosen])}
              button={t.unlinkOf(t[chosen])}
              danger
              hasPassword={session.has_password}
              onDone={unlinked}
            />
          ) : (
            <List items={items} onUnlink={setChosen} />
          )
        }
      </Loaded>
    </ChangePage>
  )
}

/** What is linked, and what could be. */
function List({ items, onUnlink }: { items: Linked; onUnlink: (name: ThirdPartyName) => void }) {
  const t = useText(linkedText)
  const locale = useLocale()
  const { contact } = useContactWords()
  const { ways: bindsTo } = useWay(['sms', 'email'])
  const [offered] = useState(() => offeredThirdParties(document.cookie))
  const names = [...new Set([...items.map((it) => it.token_type), ...offered])]
  const sinceOf = (name: ThirdPartyName) => items.find((it) => it.token_type === name)?.created_at
  return (
    <main className={styles.linked}>
      <ul className={styles.card}>
        {names.map((name) => {
          const since = sinceOf(name)
          return (
            <li key={name} className={styles.row} data-part="linked">
              <div className={styles.words}>
                <p className={styles.name}>{t[name]}</p>
                <p className={styles.since}>
                  {since === undefined ? t.notLinked : t.since(timeLabel(since, Date.now(), locale))}
                </p>
              </div>
              {since !== undefined && (
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
