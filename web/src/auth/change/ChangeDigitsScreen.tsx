import { updateSelf } from '@guildhall/wire/auth/owner.ts'
import type { Address } from '@guildhall/wire/pages.ts'
import { foldCode } from '@guildhall/wire/typed.ts'
import { isChosenNumber } from '@guildhall/wire/user/name.ts'
import { useState } from 'react'
import { Link } from 'react-router'
import { useText } from '../../kit/i18n.ts'
import { useCall } from '../../kit/useCall.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { useForm } from '../../ui/form/useForm.ts'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { useMe } from '../auth.ts'
import { OwnerForm } from '../owner/OwnerForm.tsx'
import { ChangePage, useChanged } from './ChangePage.tsx'
import { changeText } from './changeText.ts'
import { DigitsDrawing } from './drawings.tsx'

const BUFF: Address = '/account/buff'

/** /account/digits: a member of BUFF chooses the digits behind their name. Others read what it needs. */
export default function ChangeDigitsScreen() {
  const t = useText(changeText)
  const me = useMe()
  return (
    <ChangePage title={t.digits}>
      {me.is_vip ? (
        <DigitsForm />
      ) : (
        <EmptyState
          page
          icon={<DigitsDrawing />}
          title={t.digitsForMembers}
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

function DigitsForm() {
  const t = useText(changeText)
  const me = useMe()
  const changed = useChanged()
  const [digits, setDigits] = useState(me.identify_num)
  const form = useForm<'digits'>()
  const change = useCall(updateSelf)

  const submit = async () => {
    const isWrong = digits !== '' && !isChosenNumber(digits)
    if (!form.show(isWrong ? { digits: t.digitsWrong } : {})) return
    const answer = await change.run({ identify_num: digits }, ({ name, message }) =>
      name === 'user.number_taken' || name === 'user.number_wrong'
        ? form.show({ digits: message })
        : form.show({}, message),
    )
    if (answer) changed(answer, t.saved)
  }
  return (
    <OwnerForm
      title={t.digits}
      why={t.digitsWhy}
      form={form}
      button={t.save}
      busy={change.status === 'busy'}
      onSubmit={() => void submit()}
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
        error={form.errors.digits}
      />
    </OwnerForm>
  )
}
