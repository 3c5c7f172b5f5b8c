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
import { dateLabel } from '../kit/format/time.ts'
import { useLocale, useText } from '../kit/i18n.ts'
import { invalidateRoute, useRouteQuery } from '../kit/routeQuery.ts'
import { useCall } from '../kit/useCall.ts'
import { closePage, leavePage } from '../native/shellPage.ts'
import { Field } from '../ui/form/Field.tsx'
import { Form } from '../ui/form/Form.tsx'
import { useForm } from '../ui/form/useForm.ts'
import { ShieldIcon } from '../ui/icon/channelIcons.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import { TitledPage } from '../ui/page/TitledPage.tsx'
import { EmptyState } from '../ui/state/EmptyState.tsx'
import { Loaded } from '../ui/state/Loaded.tsx'
import { IdCardDrawing } from './drawings.tsx'
import styles from './RealNameScreen.module.css'
import { text } from './text.ts'

/** commerce.md §4. */
const CLOSE_AFTER_MS = 300

/** /account/authentication: verifies one's real name. commerce.md §2, §5. */
export default function RealNameScreen() {
  const t = useText(text)
  const state = useRouteQuery(viewRealName, {})
  return (
    <TitledPage title={t.title} onBack={() => void leavePage()}>
      <Loaded of={state} title={t.failed} page>
        {(realName) =>
          realName.verified ? (
            <Verified realName={realName} />
          ) : realName.offered ? (
            <RealNameForm />
          ) : (
            <EmptyState page icon={<IdCardDrawing />} title={t.off} message={t.offWhy} />
          )
        }
      </Loaded>
    </TitledPage>
  )
}

function Verified({ realName }: { realName: RealName }) {
  const t = useText(text)
  const locale = useLocale()
  return (
    <main className={styles.page}>
      <div className={styles.intro}>
        <span className={styles.mark}>
          <ShieldIcon size={36} />
        </span>
        <p className={styles.state}>{t.verified}</p>
        <p>{t.since(dateLabel(realName.verified_at, locale))}</p>
      </div>
      {realName.name && (
        <dl className={styles.facts}>
          <div>
            <dt>{t.name}</dt>
            <dd>{realName.name}</dd>
          </div>
          <div>
            <dt>{t.number}</dt>
            <dd>{realName.number}</dd>
          </div>
        </dl>
      )}
    </main>
  )
}

/** Closes the page when its toast was seen. In a browser, where nothing closes, it shows that it is done. */
function useClosing(): () => void {
  const closing = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(closing.current), [])
  return () => {
    closing.current = setTimeout(
      () => void closePage().then((isClosed) => isClosed || invalidateRoute(viewRealName)),
      CLOSE_AFTER_MS,
    )
  }
}

function RealNameForm() {
  const t = useText(text)
  const [name, setName] = useState('')
  const [number, setNumber] = useState('')
  const form = useForm(['cert_name', 'cert_code'])
  const save = useCall(updateSelf)
  const close = useClosing()

  const refused = (failure: CallFailure) => {
    if (failure.name === 'network') form.show({}, t.network)
    else form.refused(failure)
    // Another page of the same account may have been faster.
    if (failure.name === 'realname.done') invalidateRoute(viewRealName)
  }
  const submit = async () => {
    const isComplete = form.show({
      ...(!isRealName(name) && { cert_name: t.nameWrong }),
      ...(!isIdNumber(number, Date.now()) && { cert_code: t.numberWrong }),
    })
    if (!isComplete || !(await save.run({ cert_name: name, cert_code: number }, refused))) return
    toast(t.done)
    close()
  }
  return (
    <main className={styles.page}>
      <div className={styles.intro}>
        <span className={styles.mark}>
          <ShieldIcon size={36} />
        </span>
        <p>{t.why}</p>
      </div>
      <Form form={form} button={t.save} busy={save.status === 'busy'} onSubmit={() => void submit()}>
        <Field
          label={t.name}
          name="cert_name"
          autoComplete="name"
          placeholder={t.nameHint}
          maxLength={DOTTED_NAME_MAX * 2}
          read={readRealName}
          value={name}
          onChange={setName}
          error={form.errors.cert_name}
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
          error={form.errors.cert_code}
        />
      </Form>
    </main>
  )
}
