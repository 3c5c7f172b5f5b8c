import {
  CAPTCHA_HEIGHT,
  CAPTCHA_WIDTH,
  type CaptchaKind,
  type Challenge,
  PIECE_SIDE,
} from '@guildhall/wire/captcha/captcha.ts'
import type { ComponentType } from 'react'
import { IdiomCaptcha } from '../../captcha/IdiomCaptcha.tsx'
import { ImageCaptcha } from '../../captcha/ImageCaptcha.tsx'
import type { KindProps } from '../../captcha/kindProps.ts'
import { SliderCaptcha } from '../../captcha/SliderCaptcha.tsx'
import { WorkCaptcha } from '../../captcha/WorkCaptcha.tsx'
import styles from './Gallery.module.css'
import type { Section, State } from './section.ts'

/** A picture as the server makes it, without its distortions. */
function drawn(text: string, width: number, height: number): string {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const pen = canvas.getContext('2d')
  if (pen) {
    pen.fillStyle = '#e8d9b5'
    pen.fillRect(0, 0, width, height)
    pen.fillStyle = '#1d3557'
    pen.font = '48px sans-serif'
    pen.fillText(text, 20, height / 2 + 16)
  }
  return canvas.toDataURL('image/png').split(',')[1] ?? ''
}

const state = (
  name: string,
  kind: CaptchaKind,
  Kind: ComponentType<KindProps>,
  more: Partial<Challenge> & { words?: string; problem?: string; isBusy?: boolean } = {},
): State => ({
  name,
  draw: () => (
    <div className={styles.sheet} style={{ maxWidth: 320, padding: 20 }}>
      <Kind
        challenge={{
          id: name,
          kind,
          imgData: drawn(more.words ?? '', CAPTCHA_WIDTH, CAPTCHA_HEIGHT),
          ...more,
        }}
        problem={more.problem ?? ''}
        isBusy={more.isBusy ?? false}
        onAnswer={() => undefined}
      />
    </div>
  ),
})

const problem = '验证未通过，请再试一次'
const piece = { imgData: drawn('', PIECE_SIDE, PIECE_SIDE), top: 40 }

export const captchas: Section = {
  id: 'captchas',
  title: 'Captchas',
  states: [
    state('captcha with characters', 'image', ImageCaptcha, { words: 'K7N4P' }),
    state('captcha with characters after a wrong answer', 'image', ImageCaptcha, { words: 'K7N4P', problem }),
    state('captcha that is checked', 'image', ImageCaptcha, { words: 'K7N4P', isBusy: true }),
    state('captcha with an idiom', 'idiom', IdiomCaptcha, { words: '兔守待株' }),
    state('captcha with a slider', 'slider', SliderCaptcha, { piece }),
    state('captcha with a slider after a wrong answer', 'slider', SliderCaptcha, { piece, problem }),
    state('captcha without a picture', 'work', WorkCaptcha),
    state('captcha without a picture that is checked', 'work', WorkCaptcha, { isBusy: true }),
  ],
}
