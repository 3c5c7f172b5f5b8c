import { CAPTCHA_HEIGHT, CAPTCHA_WIDTH } from '@guildhall/wire/captcha/captcha.ts'
import { foldCode } from '@guildhall/wire/typed.ts'
import { type MouseEvent, useState } from 'react'
import { useText } from '../kit/i18n.ts'
import fieldStyles from '../ui/form/Field.module.css'
import { Field } from '../ui/form/Field.tsx'
import styles from './CaptchaDialog.module.css'
import { CaptchaForm } from './CaptchaForm.tsx'
import type { KindProps } from './kindProps.ts'
import { Picture } from './Picture.tsx'
import { text } from './text.ts'

const CHARACTERS = 4

/**
 * Four characters of a picture, to tap in the order of their idiom, or to type. chat.md §5 "Captcha idiom
 * dialog".
 */
export function IdiomCaptcha({ challenge, problem, isBusy, onAnswer }: KindProps) {
  const t = useText(text)
  const [typed, setTyped] = useState('')
  const [taps, setTaps] = useState<readonly (readonly [x: number, y: number])[]>([])
  const isTouched = typed !== '' || taps.length > 0

  const tap = (event: MouseEvent<HTMLElement>) => {
    if (isBusy || taps.length === CHARACTERS) return
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect()
    const x = Math.round(((event.clientX - left) / width) * CAPTCHA_WIDTH)
    const y = Math.round(((event.clientY - top) / height) * CAPTCHA_HEIGHT)
    setTaps([...taps, [Math.max(0, x), Math.max(0, y)]])
  }
  const answer = typed || (taps.length === CHARACTERS ? taps.map((it) => it.join(',')).join(';') : '')
  return (
    <CaptchaForm isBusy={isBusy} onSubmit={() => answer !== '' && onAnswer(answer)}>
      <Picture imgData={challenge.imgData}>
        {/* Who has no finger on the picture types the idiom below. */}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the field does the same */}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field does the same */}
        <div className={styles.taps} data-part="captcha-taps" onClick={tap}>
          {taps.map(([x, y], at) => (
            <span
              key={`${x} ${y}`}
              className={styles.mark}
              style={{ left: `${(x / CAPTCHA_WIDTH) * 100}%`, top: `${(y / CAPTCHA_HEIGHT) * 100}%` }}
            >
              {at + 1}
            </span>
          ))}
        </div>
      </Picture>
      <Field
        label={t.tapOrType}
        name="captcha"
        autoComplete="off"
        maxLength={10}
        read={foldCode}
        value={typed}
        onChange={setTyped}
        error={isTouched ? undefined : problem}
        after={
          taps.length > 0 && (
            <button type="button" className={fieldStyles.side} onClick={() => setTaps([])}>
              {t.clear}
            </button>
          )
        }
      />
    </CaptchaForm>
  )
}
