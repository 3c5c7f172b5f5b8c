import { updateSelf } from '@guildhall/wire/auth/owner.ts'
import type { Address } from '@guildhall/wire/pages.ts'
import { foldCode } from '@guildhall/wire/typed.ts'
import { isChosenNumber } from '@guildhall/wire/user/name.ts'
import { useState } from 'react'
import { Link } from 'react-router'
import { useText } from '../kit/i18n.ts'
import { useCall } from '../kit/useCall.ts'
import { buttonClass } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Field } from '../ui/Field.tsx'
import { UserIcon } from '../ui/laterIcons.tsx'
import { toast } from '../ui/Toast.tsx'
import { useFirstWrong } from '../ui/useFirstWrong.ts'
import { useMe } from './auth.ts'
import { ChangePage, useBackToAccount } from './ChangePage.tsx'
import { keepSelf } from './changedSelf.ts'
import { changeText } from './changeText.ts'
import { OwnerForm } from './OwnerForm.tsx'

const BUFF: Address = '/account/buff'

/** /account/digits: a member of BUFF chooses the digits behind their name. Others read what it needs. */
export default function ChangeDigitsScreen() {
  const t = useText(changeText)
  const me = useMe()
  const leave = useBackToAccount()
  const [digits, setDigits] = useState(me.identify_num)
  const [errors, setErrors] = useState<{ digits?: string }>({})
  const [problem, setProblem] = useState('')
  const form = useFirstWrong(errors)
  const change = useCall(updateSelf)

  const save = async (wanted: string) => {
    setErrors({})
    setProblem('')
    const answer = await change.run({ identify_num: wanted }, ({ name, message }) =>
      name === 'user.number_taken' || name === 'user.number_wrong'
        ? setErrors({ digits: message })
        : setProblem(message),
    )
    if (!answer) return
    keepSelf(answer)
    toast(t.saved)
    leave()
  }
  const submit = () => {
    if (digits === '' || isChosenNumber(digits)) return void save(digits)
    setErrors({ digits: t.digitsWrong })
  }
  return (
    <ChangePage title={t.digits}>
      {me.is_vip ? (
        <OwnerForm
          title={t.digits}
          why={t.digitsWhy}
          problem={problem}
          button={t.save}
          busy={change.status === 'busy'}
          form={form}
          onSubmit={submit}
        >
          <Field
            label={t.digitsLabel}
            name="digits"
            inputMode="numeric"
            autoComplete="off"
            maxLength={8}
            read={foldCode}
            value={digits}
            onChange={setDigits}
            error={errors.digits}
          />
        </OwnerForm>
      ) : (
        <EmptyState
          top
          icon={<UserIcon size={32} />}
          title={t.digits}
          message={t.digitsNeedBuff}
          action={
            <Link className={buttonClass('main')} to={BUFF}>
              {t.toBuff}
            </Link>
          }
        />
      )}
    </ChangePage>
  )
}
