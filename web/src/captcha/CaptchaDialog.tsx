import { CAPTCHA_KINDS, type CaptchaKind } from '@guildhall/wire/captcha/captcha.ts'
import { type RefObject, useEffect, useId, useState } from 'react'
import { useText } from '../kit/i18n.ts'
import { Button } from '../ui/Button.tsx'
import dialogStyles from '../ui/overlay/Dialog.module.css'
import modalStyles from '../ui/overlay/Modal.module.css'
import { useModal } from '../ui/overlay/useModal.ts'
import { Spinner } from '../ui/state/Spinner.tsx'
import styles from './CaptchaDialog.module.css'
import { IdiomCaptcha } from './IdiomCaptcha.tsx'
import { ImageCaptcha } from './ImageCaptcha.tsx'
import { SliderCaptcha } from './SliderCaptcha.tsx'
import { text } from './text.ts'
import { type PhoneNumber, useChallenge } from './useChallenge.ts'
import { WorkCaptcha } from './WorkCaptcha.tsx'

const KINDS = { image: ImageCaptcha, idiom: IdiomCaptcha, slider: SliderCaptcha, work: WorkCaptcha }
const NAMES = { image: 'ofImage', idiom: 'ofIdiom', slider: 'ofSlider', work: 'ofWork' } as const

/**
 * Asks for a captcha, of another kind when the user wants. `onEnd` gets the call's `sign`, or null when it
 * was closed.
 */
export function CaptchaDialog(props: {
  kind: CaptchaKind
  number: PhoneNumber
  onEnd: (sign: string | null) => void
}) {
  const t = useText(text)
  const id = useId()
  const [kind, setKind] = useState(props.kind)
  const [isChoosing, setIsChoosing] = useState(false)
  const { number, onEnd } = props
  const { challenge, problem, isChecking, isLoading, answer, refresh } = useChallenge(kind, number, onEnd)
  const close = () => onEnd(null)
  const choose = (chosen: CaptchaKind) => {
    setIsChoosing(false)
    if (chosen === kind) refresh()
    else setKind(chosen)
  }
  const box = useModal(close)
  const Kind = KINDS[kind]

  useFirstFocus(box, isChoosing ? 'ways' : (challenge?.id ?? 'none'))

  return (
    <div className={`${modalStyles.backdrop} ${modalStyles.centered} ${styles.backdrop}`}>
      <div
        className={`${dialogStyles.dialog} ${styles.dialog}`}
        role="dialog"
        aria-modal="true"
        aria-labelledby={id}
        aria-busy={isChecking || isLoading}
        data-part="captcha"
        tabIndex={-1}
        ref={box}
      >
        <h2 className={dialogStyles.title} id={id}>
          {isChoosing ? t.ways : t[kind]}
        </h2>
        {isChoosing ? (
          <Ways kind={kind} onChoose={choose} />
        ) : challenge?.kind === kind ? (
          <Kind
            // Another challenge begins anew: what was typed is gone.
            key={challenge.id}
            challenge={challenge}
            problem={problem}
            isBusy={isChecking || isLoading}
            onAnswer={(given) => void answer(given)}
          />
        ) : (
          <Loading problem={isLoading ? '' : problem} onRetry={refresh} />
        )}
        {!isChoosing && (
          <Others onRefresh={kind === 'work' ? null : refresh} onAnother={() => setIsChoosing(true)} />
        )}
        <Button kind="quiet" block onPress={close}>
          {t.cancel}
        </Button>
      </div>
    </div>
  )
}

/** The focus moves into what is `shown`: what had it was replaced. */
function useFirstFocus(box: RefObject<HTMLElement | null>, shown: string): void {
  useEffect(() => {
    if (shown === 'none') return
    const first = box.current?.querySelector<HTMLElement>('[data-first]') ?? box.current
    first?.focus({ preventScroll: true })
  }, [shown, box])
}

/** The ways to another captcha: of the same kind, or of another. */
function Others({ onRefresh, onAnother }: { onRefresh: (() => void) | null; onAnother: () => void }) {
  const t = useText(text)
  return (
    <div className={styles.others}>
      {onRefresh && (
        <Button kind="plain" onPress={onRefresh}>
          {t.refresh}
        </Button>
      )}
      <Button kind="plain" onPress={onAnother}>
        {t.another}
      </Button>
    </div>
  )
}

/** Until there is a challenge, or when there is none. */
function Loading({ problem, onRetry }: { problem: string; onRetry: () => void }) {
  const t = useText(text)
  return (
    <div className={styles.loading} role="status">
      {problem ? (
        <>
          <p className={styles.problem}>{problem}</p>
          <Button kind="soft" onPress={onRetry}>
            {t.retry}
          </Button>
        </>
      ) : (
        <>
          <Spinner />
          <p>{t.loading}</p>
        </>
      )}
    </div>
  )
}

function Ways({ kind, onChoose }: { kind: CaptchaKind; onChoose: (kind: CaptchaKind) => void }) {
  const t = useText(text)
  return (
    <div className={styles.ways}>
      {/* The way without a picture first: who asks for another one may see none. */}
      {[...CAPTCHA_KINDS].reverse().map((each, at) => (
        <button
          key={each}
          type="button"
          className={styles.way}
          aria-current={each === kind || undefined}
          data-first={at === 0 || undefined}
          onClick={() => onChoose(each)}
        >
          {t[NAMES[each]]}
        </button>
      ))}
    </div>
  )
}
