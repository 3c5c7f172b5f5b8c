import { CAPTCHA_HEIGHT, CAPTCHA_WIDTH, PIECE_SIDE } from '@guildhall/wire/captcha/captcha.ts'
import { useState } from 'react'
import { useText } from '../kit/i18n.ts'
import { Button } from '../ui/Button.tsx'
import styles from './CaptchaDialog.module.css'
import type { KindProps } from './CaptchaDialog.tsx'
import { Picture, pngOf } from './Picture.tsx'
import { text } from './text.ts'

/** A piece to push into its hole, by finger or by the arrow keys. chat.md §8 `sign` "400". */
export function SliderCaptcha({ challenge, problem, isBusy, onAnswer }: KindProps) {
  const t = useText(text)
  const [left, setLeft] = useState(0)
  const { piece } = challenge
  if (!piece) return null
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (left > 0) onAnswer(String(left))
      }}
    >
      <Picture imgData={challenge.imgData}>
        <img
          className={styles.piece}
          src={pngOf(piece.imgData)}
          alt=""
          draggable={false}
          style={{
            left: `${(left / CAPTCHA_WIDTH) * 100}%`,
            top: `${(piece.top / CAPTCHA_HEIGHT) * 100}%`,
            width: `${(PIECE_SIDE / CAPTCHA_WIDTH) * 100}%`,
          }}
        />
      </Picture>
      <input
        className={styles.range}
        type="range"
        min={0}
        max={CAPTCHA_WIDTH - PIECE_SIDE}
        value={left}
        aria-label={t.position}
        data-first
        onChange={(event) => setLeft(Number(event.currentTarget.value))}
      />
      <p className={styles.problem} role="alert">
        {left === 0 ? problem : ''}
      </p>
      <Button block busy={isBusy} type="submit">
        {t.confirm}
      </Button>
    </form>
  )
}
