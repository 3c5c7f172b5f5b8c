import {
  beginSecondFactor,
  endSecondFactor,
  renewRecoveryCodes,
  secondFactorState,
} from '@guildhall/wire/auth/secondFactor.ts'
import { userState } from '@guildhall/wire/auth/userState.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { timeLabel } from '../../kit/format/time.ts'
import { useLocale, useText } from '../../kit/i18n.ts'
import { paths } from '../../kit/paths.ts'
import { invalidateRoute, useRouteQuery } from '../../kit/routeQuery.ts'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/overlay/Toast.tsx'
import { TitledPage } from '../../ui/page/TitledPage.tsx'
import { both, Loaded } from '../../ui/state/Loaded.tsx'
import pageStyles from '../FormPage.module.css'
import { ProofStep } from '../owner/ProofStep.tsx'
import { RecoveryCodesStep } from './RecoveryCodesStep.tsx'
import styles from './SecondFactor.module.css'
import { SetupStep } from './SetupStep.tsx'
import { secondFactorScreenText } from './secondFactorScreenText.ts'

type Setup = AnswerOf<typeof beginSecondFactor>
type Step =
  | { is: 'state' }
  | { is: 'begin' | 'renew' | 'end' }
  | { is: 'setup'; setup: Setup }
  | { is: 'codes'; codes: readonly string[]; isNew: boolean }

/** The countdown of the button that sends a code here. */
const PAGE = 'second-factor'
const STATE: Step = { is: 'state' }
/** From here on new recovery codes are advised. */
const FEW_CODES = 3

/** /account/second-factor: turning the second factor on and off, and its recovery codes. */
export default function SecondFactorScreen() {
  const t = useText(secondFactorScreenText)
  const navigate = useNavigate()
  const state = both(useRouteQuery(secondFactorState, {}), useRouteQuery(userState, {}))
  const [step, setStep] = useState(STATE)
  return (
    <TitledPage
      title={t.title}
      onBack={() => (step.is === 'state' ? void navigate(paths.account()) : setStep(STATE))}
    >
      <Loaded of={state} title={t.failed} page>
        {([factor, session]) =>
          step.is === 'state' ? (
            <State {...factor} onStep={setStep} />
          ) : (
            <Steps step={step} hasPassword={session.has_password} onStep={setStep} />
          )
        }
      </Loaded>
    </TitledPage>
  )
}

function State(props: AnswerOf<typeof secondFactorState> & { onStep: (step: Step) => void }) {
  const t = useText(secondFactorScreenText)
  const locale = useLocale()
  const { on, since, recovery_codes, onStep } = props
  return (
    <main className={pageStyles.page}>
      <h2 className={styles.title}>{on ? t.on : t.off}</h2>
      {on ? (
        <div className={styles.facts}>
          <p>{t.since(timeLabel(since, Date.now(), locale))}</p>
          <p>{t.left(recovery_codes)}</p>
          {recovery_codes <= FEW_CODES && <p className={styles.few}>{t.fewLeft}</p>}
        </div>
      ) : (
        <p className={styles.why}>{t.offWhy}</p>
      )}
      <div className={styles.actions}>
        {on ? (
          <>
            <Button kind="soft" block onPress={() => onStep({ is: 'renew' })}>
              {t.renew}
            </Button>
            <Button kind="danger" block onPress={() => onStep({ is: 'end' })}>
              {t.turnOff}
            </Button>
          </>
        ) : (
          <Button block onPress={() => onStep({ is: 'begin' })}>
            {t.turnOn}
          </Button>
        )}
      </div>
    </main>
  )
}

function Steps(props: {
  step: Exclude<Step, { is: 'state' }>
  hasPassword: boolean
  onStep: (step: Step) => void
}) {
  const { step, hasPassword, onStep } = props
  const t = useText(secondFactorScreenText)
  const changed = () => invalidateRoute(secondFactorState)
  const done = (message: string) => {
    changed()
    toast(message)
    onStep(STATE)
  }
  if (step.is === 'setup')
    return (
      <SetupStep
        setup={step.setup}
        onCodes={(codes) => {
          changed()
          onStep({ is: 'codes', codes, isNew: true })
        }}
      />
    )
  if (step.is === 'codes')
    return <RecoveryCodesStep codes={step.codes} onKept={() => done(step.isNew ? t.isOn : t.renewed)} />
  const proof = { page: PAGE, hasPassword }
  if (step.is === 'begin')
    return (
      <ProofStep
        {...proof}
        route={beginSecondFactor}
        why={t.beginWhy}
        button={t.next}
        onDone={(setup) => onStep({ is: 'setup', setup })}
      />
    )
  if (step.is === 'end')
    return (
      <ProofStep
        {...proof}
        route={endSecondFactor}
        why={t.turnOffWhy}
        button={t.turnOff}
        onDone={() => done(t.isOff)}
      />
    )
  return (
    <ProofStep
      {...proof}
      route={renewRecoveryCodes}
      why={t.renewWhy}
      button={t.renew}
      onDone={({ recovery_codes }) => {
        changed()
        onStep({ is: 'codes', codes: recovery_codes, isNew: false })
      }}
    />
  )
}
