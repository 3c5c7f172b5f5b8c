import { foldCode } from '@guildhall/wire/typed.ts'
import { useState } from 'react'
import { useText } from '../kit/i18n.ts'
import { Field } from '../ui/form/Field.tsx'
import { CaptchaForm } from './CaptchaForm.tsx'
import type { KindProps } from './kindProps.ts'
import { Picture } from './Picture.tsx'
import { text } from './text.ts'

/** Characters of a picture, to type. */
export function ImageCaptcha({ challenge, problem, isBusy, onAnswer }: KindProps) {
  const t = useText(text)
  const [typed, setTyped] = useState('')
  return (
    <CaptchaForm isBusy={isBusy} onSubmit={() => typed !== '' && onAnswer(typed)}>
      <Picture imgData={challenge.imgData} />
      <Field
        label={t.letters}
        name="captcha"
        autoComplete="off"
        maxLength={10}
        read={foldCode}
        value={typed}
        onChange={setTyped}
        error={typed === '' ? problem : undefined}
        autoFocus
      />
    </CaptchaForm>
  )
}
