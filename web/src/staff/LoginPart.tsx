import { staffLogin } from '@guildhall/wire/staff/session.ts'
import { foldCode } from '@guildhall/wire/typed.ts'
import { type FormEvent, useState } from 'react'
import { useText } from '../kit/i18n.ts'
import { useCall } from '../kit/useCall.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { Field } from '../ui/Field.tsx'
import { MobileField, useCountry } from '../ui/MobileField.tsx'
import { useFirstWrong } from '../ui/useFirstWrong.ts'
import styles from './Login.module.css'
import { Switches } from './Switches.tsx'
import { text } from './text.ts'

const NO_FIELDS: Readonly<Record<string, string>> = {}

/** The form that logs in to the console. `notice`: why one has to log in again. */
export function LoginPart({ notice, onEnter }: { notice: string; onEnter: (token: string) => void }) {
  const t = useText(text)
  const [country, setCountry] = useCountry()
  const [mobile, setMobile] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const login = useCall(staffLogin)
  const { failure } = login
  const form = useFirstWrong(failure?.fields ?? NO_FIELDS)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const answer = await login.run({
      mobile,
      mobile_prefix: country.code,
      password,
      second_factor: code,
    })
    if (answer) onEnter(answer.token)
  }
  const fields = failure?.fields ?? NO_FIELDS
  const isFieldless = failure && Object.keys(fields).length === 0
  return (
    <main className={styles.screen}>
      <Switches className={styles.switches} />
      <form className={styles.form} ref={form} onSubmit={(event) => void submit(event)} noValidate>
        <h1 className={styles.title}>{t.logIn}</h1>
        <p className={styles.why}>{t.loginWhy}</p>
        {notice && (
          <p className={styles.notice} role="status">
            {notice}
          </p>
        )}
        <MobileField
          label={t.mobile}
          value={mobile}
          onChange={setMobile}
          country={country}
          onCountry={setCountry}
          error={fields.mobile}
          autoComplete="username"
        />
        <Field
          label={t.password}
          name="password"
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
          error={fields.password}
        />
        <Field
          label={t.secondFactor}
          name="second_factor"
          autoComplete="one-time-code"
          placeholder={t.secondFactorHint}
          maxLength={32}
          read={foldCode}
          value={code}
          onChange={setCode}
          error={fields.second_factor}
        />
        {isFieldless && (
          <p className={styles.refused} role="alert">
            {failure.message}
          </p>
        )}
        {failure?.name === 'staff.second_factor_off' && (
          <div className={styles.setUp}>
            <h2>{t.setUp}</h2>
            <p>{t.setUpWhy}</p>
            <a className={buttonClass('soft')} href="/account/second-factor">
              {t.openSetUp}
            </a>
          </div>
        )}
        <Button type="submit" block busy={login.status === 'busy'}>
          {t.enter}
        </Button>
      </form>
    </main>
  )
}
