import { updateSelf } from '@guildhall/wire/auth/owner.ts'
import {
  DOTTED_NAME_MAX,
  ID_NUMBER_LENGTH,
  isIdNumber,
  isRealName,
  type RealName,
  readIdNumber,
  readRealName,
  viewRealName,
} from '@guildhall/wire/realname/realname.ts'
import { useEffect, useRef, useState } from 'react'
import type { CallFailure } from '../kit/call.ts'
import { useLocale, useText } from '../kit/i18n.ts'
import { invalidateRoute, useRouteQuery } from '../kit/routeQuery.ts'
import { dateLabel } from '../kit/time.ts'
import { useCall } from '../kit/useCall.ts'
import { closePage, leavePage } from '../native/shellPage.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import fieldStyles from '../ui/Field.module.css'
import { Field } from '../ui/Field.tsx'
import { ShieldIcon } from '../ui/icons.tsx'
import { LoadingState } from '../ui/LoadingState.tsx'
import { Page } from '../ui/Page.tsx'
import { toast } from '../ui/Toast.tsx'
import { TopBar } from '../ui/TopBar.tsx'
import { useFirstWrong } from '../ui/useFirstWrong.ts'
import { usePageTitle } from '../ui/usePageTitle.ts'
import styles from './RealNameScreen.module.css'
import { text } from './text.ts'

/** commerce.md §4. */
const CLOSE_AFTER_MS = 300

/** /account/authentication: verifies one's real name. commerce.md §2, §5. */
export default function RealNameScreen() {
  const t = useText(text)
  const state = useRouteQuery(viewRealName, {})
  usePageTitle(`${t.title} · ${t.product}`)
  return (
    <Page>
      <TopBar title={t.title} onBack={() => void leavePage()} />
      {!state.answer ? (
        state.failure ? (
          <ErrorState top title={t.failed} message={state.failure.message} onRetry={state.refetch} />
        ) : (
          <LoadingState page />
        )
      ) : state.answer.verified ? (
        <Verified it={state.answer} />
      ) : state.answer.offered ? (
        <RealNameForm />
      ) : (
        <EmptyState top icon={<ShieldIcon size={32} />} title={t.off} message={t.offWhy} />
      )}
    </Page>
  )
}

function Verified({ it }: { it: RealName }) {
  const t = useText(text)
  const locale = useLocale()
  return (
    <main className={styles.page}>
      <div className={styles.intro}>
        <span className={styles.mark}>
          <ShieldIcon size={36} />
        </span>
        <p className={styles.state}>{t.verified}</p>
        <p>{t.since(dateLabel(it.verified_at, locale))}</p>
      </div>
      {it.name && (
        <dl className={styles.facts}>
          <div>
            <dt>{t.name}</dt>
            <dd>{it.name}</dd>
          </div>
          <div>
            <dt>{t.number}</dt>
            <dd>{it.number}</dd>
          </div>
        </dl>
      )}
    </main>
  )
}

interface Errors {
  readonly name?: string
  readonly number?: string
}

function RealNameForm() {
  const t = useText(text)
  const [name, setName] = useState('')
  const [number, setNumber] = useState('')
  const [errors, setErrors] = useState<Errors>({})
  const [problem, setProblem] = useState('')
  const form = useFirstWrong(errors)
  const save = useCall(updateSelf)
  const closing = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(closing.current), [])

  const refused = ({ name: failure, fields, message }: CallFailure) => {
    const { cert_name, cert_code } = fields
    if (cert_name || cert_code)
      setErrors({ ...(cert_name && { name: cert_name }), ...(cert_code && { number: cert_code }) })
    else setProblem(failure === 'network' ? t.network : message)
    // Another page of the same account may have been faster.
    if (failure === 'realname.done') invalidateRoute(viewRealName)
  }
  const submit = async () => {
    const typed = { cert_name: name, cert_code: number }
    const wrong: Errors = {
      ...(!isRealName(typed.cert_name) && { name: t.nameWrong }),
      ...(!isIdNumber(typed.cert_code, Date.now()) && { number: t.numberWrong }),
    }
    setErrors(wrong)
    setProblem('')
    if (wrong.name || wrong.number) return
    if (!(await save.run(typed, refused))) return
    toast(t.done)
    // In a browser, where nothing closes, the page shows that it is done.
    closing.current = setTimeout(
      () => void closePage().then((isClosed) => isClosed || invalidateRoute(viewRealName)),
      CLOSE_AFTER_MS,
    )
  }
  return (
    <main className={styles.page}>
      <div className={styles.intro}>
        <span className={styles.mark}>
          <ShieldIcon size={36} />
        </span>
        <p>{t.why}</p>
      </div>
      <form
        className={styles.form}
        noValidate
        ref={form}
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <Field
          label={t.name}
          name="cert_name"
          autoComplete="name"
          placeholder={t.nameHint}
          maxLength={DOTTED_NAME_MAX * 2}
          read={readRealName}
          value={name}
          onChange={setName}
          error={errors.name}
        />
        <Field
          label={t.number}
          name="cert_code"
          autoComplete="off"
          placeholder={t.numberHint}
          maxLength={ID_NUMBER_LENGTH}
          read={readIdNumber}
          value={number}
          onChange={setNumber}
          error={errors.number}
        />
        <p className={fieldStyles.formProblem} role="alert">
          {problem}
        </p>
        <Button type="submit" block busy={save.status === 'busy'}>
          {t.save}
        </Button>
      </form>
    </main>
  )
}
