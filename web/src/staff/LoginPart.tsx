import { hasOtherWays } from '@guildhall/wire/auth/otherWays.ts'
import { staffLogin } from '@guildhall/wire/staff/session.ts'
import { foldCode } from '@guildhall/wire/typed.ts'
import { type FormEvent, useState } from 'react'
import { useText } from '../kit/i18n.ts'
import { useCall } from '../kit/useCall.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { Field } from '../ui/form/Field.tsx'
import { MobileField, useCountry } from '../ui/form/MobileField.tsx'
import { useForm } from '../ui/form/useForm.ts'
import styles from './Login.module.css'
import { Switches } from './Switches.tsx'
import { text } from './text.ts'

/** The form that logs in to the console. `notice`: why one has to log in again. */
export function LoginPart({ notice, onEnter }: { notice: string; onEnter: (token: string) => void }) {
  const t = useText(text)
  const [country, setCountry] = useCountry()
  const [mobile, setMobile] = useState('')
  const [typed, setTyped] = useState({ password: '', second_factor: '' })
  const login = useCall(staffLogin)
  const [hasOthers] = useState(() => hasOtherWays(document.cookie))
  const [account, setAccount] = useState('')
  const form = useForm(['mobile', 'name', 'password', 'second_factor'])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    form.show({})
    const who = /[#＃@＠]/.test(account)
      ? { account }
      : { mobile: hasOthers ? account : mobile, mobile_prefix: country.code }
    const answer = await login.run({ ...who, ...typed }, form.refused)
    if (answer) onEnter(answer.token)
  }
  const field = (name: keyof typeof typed) => ({
    name,
    value: typed[name],
    error: form.errors[name],
    onChange: (value: string) => setTyped({ ...typed, [name]: value }),
  })
  return (
    <main className={styles.screen}>
      <Switches className={styles.switches} />
      <form className={styles.form} ref={form.ref} onSubmit={(event) => void submit(event)} noValidate>
        <h1 className={styles.title}>{t.logIn}</h1>
        <p className={styles.why}>{t.loginWhy}</p>
        {notice && (
          <p className={styles.notice} role="status">
            {notice}
          </p>
        )}
        {hasOthers ? (
          <Field
            label={t.account}
            name="username"
            autoComplete="username"
            maxLength={254}
            autoFocus
            value={account}
            onChange={setAccount}
            error={form.errors.mobile ?? form.errors.name}
          />
        ) : (
          <MobileField
            label={t.mobile}
            typed={{ mobile, setMobile, country, setCountry }}
            error={form.errors.mobile}
            autoComplete="username"
          />
        )}
        <Field label={t.password} type="password" autoComplete="current-password" {...field('password')} />
        <Field
          label={t.secondFactor}
          autoComplete="one-time-code"
          placeholder={t.secondFactorHint}
          maxLength={32}
          read={foldCode}
          {...field('second_factor')}
        />
        {form.problem && (
          <p className={styles.refused} role="alert">
            {form.problem}
          </p>
        )}
        {login.failure?.name === 'staff.second_factor_off' && <SetUp />}
        <Button type="submit" block busy={login.status === 'busy'}>
          {t.enter}
        </Button>
      </form>
    </main>
  )
}

/** Where somebody without a second factor turns it on. */
function SetUp() {
  const t = useText(text)
  return (
    <div className={styles.setUp}>
      <h2>{t.setUp}</h2>
      <p>{t.setUpWhy}</p>
      <a className={buttonClass('soft')} href="/account/second-factor">
        {t.openSetUp}
      </a>
    </div>
  )
}
