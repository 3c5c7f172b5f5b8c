import { CAPTCHA_HEIGHT, CAPTCHA_WIDTH } from '@guildhall/wire/captcha/captcha.ts'
import { type KeyboardEvent, type MouseEvent, useState } from 'react'
import { useText } from '../kit/i18n.ts'
import { Button } from '../ui/Button.tsx'
import styles from './CaptchaDialog.module.css'
import { CaptchaForm } from './CaptchaForm.tsx'
import type { KindProps } from './kindProps.ts'
import { Picture } from './Picture.tsx'
import { text } from './text.ts'

type Point = readonly [x: number, y: number]

const CHARACTERS = 4
/** How far a key moves the pointer, px of the picture. */
const STEP = 10
const MOVES: Readonly<Record<string, Point>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
}

const within = (value: number, most: number): number => Math.min(most, Math.max(0, Math.round(value)))
const styleAt = ([x, y]: Point) => ({
  left: `${(x / CAPTCHA_WIDTH) * 100}%`,
  top: `${(y / CAPTCHA_HEIGHT) * 100}%`,
})

/**
 * Four characters of a picture, to tap in the order of their idiom, or to reach by the arrow keys and mark by
 * the space bar. chat.md §5 "Captcha idiom dialog".
 */
export function IdiomCaptcha({ challenge, problem, isBusy, onAnswer }: KindProps) {
  const t = useText(text)
  const [taps, setTaps] = useState<readonly Point[]>([])
  const [pointer, setPointer] = useState<Point>([CAPTCHA_WIDTH / 2, CAPTCHA_HEIGHT / 2])

  const mark = ([x, y]: Point) => {
    if (isBusy || taps.length === CHARACTERS) return
    setTaps([...taps, [within(x, CAPTCHA_WIDTH), within(y, CAPTCHA_HEIGHT)]])
  }
  const tap = (event: MouseEvent<HTMLElement>) => {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect()
    const [x, y] = [(event.clientX - left) / width, (event.clientY - top) / height]
    mark([x * CAPTCHA_WIDTH, y * CAPTCHA_HEIGHT])
  }
  const press = (event: KeyboardEvent) => {
    const move = MOVES[event.key]
    if (move)
      setPointer([within(pointer[0] + move[0], CAPTCHA_WIDTH), within(pointer[1] + move[1], CAPTCHA_HEIGHT)])
    else if (event.key === ' ') mark(pointer)
    else return
    event.preventDefault()
  }
  const isWhole = taps.length === CHARACTERS
  return (
    <CaptchaForm isBusy={isBusy} onSubmit={() => isWhole && onAnswer(taps.map(String).join(';'))}>
      <Picture imgData={challenge.imgData}>
        {/* The keys go to the picture, as they do to a canvas. */}
        <div
          className={styles.taps}
          role="application"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it is operated by keys
          tabIndex={0}
          aria-label={t.tapInOrder}
          data-part="captcha-taps"
          data-first
          onClick={tap}
          onKeyDown={press}
        >
          <span className={styles.pointer} style={styleAt(pointer)} />
          {taps.map((point, at) => (
            <span key={String(point)} className={styles.mark} style={styleAt(point)}>
              {at + 1}
            </span>
          ))}
        </div>
      </Picture>
      <div className={styles.hint}>
        <p aria-live="polite">{taps.length > 0 ? t.tapped(taps.length, CHARACTERS) : t.tapInOrder}</p>
        {taps.length > 0 && (
          <Button kind="plain" onPress={() => setTaps([])}>
            {t.clear}
          </Button>
        )}
      </div>
      <p className={styles.problem} role="alert">
        {taps.length === 0 ? problem : ''}
      </p>
    </CaptchaForm>
  )
}
