import { CAPTCHA_HEIGHT, CAPTCHA_WIDTH, PIECE_SIDE } from '@guildhall/wire/captcha/captcha.ts'
import { useLayoutEffect, useRef, useState } from 'react'
import { useText } from '../kit/i18n.ts'
import styles from './CaptchaDialog.module.css'
import { CaptchaForm } from './CaptchaForm.tsx'
import type { KindProps } from './kindProps.ts'
import { Picture, pngOf } from './Picture.tsx'
import { text } from './text.ts'

/**
 * A piece to push onto the hole of its shape, by finger or by the arrow keys. Letting it go is the answer;
 * keys, which let go at every step, are followed by Enter or the button. chat.md §8 `sign` "400".
 */
export function SliderCaptcha({ challenge, problem, isBusy, onAnswer }: KindProps) {
  const t = useText(text)
  const [left, setLeft] = useState(0)
  const send = (at: number) => at > 0 && !isBusy && onAnswer(String(at))
  const slider = useLetGo(send)
  const { piece } = challenge
  if (!piece) return null
  return (
    <CaptchaForm isBusy={isBusy} onSubmit={() => send(left)}>
      <p className={styles.why}>{t.pushToLike}</p>
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
        {...slider}
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
    </CaptchaForm>
  )
}

/** What a slider needs to call `send` with its value when a finger or the mouse lets it go. */
function useLetGo(send: (at: number) => void) {
  const range = useRef<HTMLInputElement>(null)
  const isByPointer = useRef(false)
  const latest = useRef(send)
  latest.current = send
  useLayoutEffect(() => {
    const input = range.current
    // The browser's own event, which comes at the end of a push; React's comes at every step.
    const letGo = () => isByPointer.current && latest.current(Number(input?.value))
    input?.addEventListener('change', letGo)
    return () => input?.removeEventListener('change', letGo)
  }, [])
  return {
    ref: range,
    onPointerDown: () => {
      isByPointer.current = true
    },
    onKeyDown: () => {
      isByPointer.current = false
    },
  }
}
