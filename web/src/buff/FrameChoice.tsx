import { updateSelf } from '@guildhall/wire/auth/owner.ts'
import { userState } from '@guildhall/wire/auth/userState.ts'
import { AVATAR_FRAMES, type AvatarFrame } from '@guildhall/wire/user/avatarFrame.ts'
import { useEffect, useId, useRef, useState } from 'react'
import { useMe } from '../auth/auth.ts'
import { useText } from '../kit/i18n.ts'
import { invalidateRoute } from '../kit/routeQuery.ts'
import { text as commonText } from '../kit/text.ts'
import { useCall } from '../kit/useCall.ts'
import { Button } from '../ui/Button.tsx'
import festive from '../ui/Festive.module.css'
import { Avatar } from '../ui/picture/Avatar.tsx'
import styles from './FrameChoice.module.css'
import { frameText } from './frameText.ts'

type Chosen = AvatarFrame | ''

/**
 * The choice of the ring around one's face, each shown on that face. What a member of BUFF taps is saved at
 * once; others see how they would look. commerce.md §9.
 */
export function FrameChoice() {
  const t = useText(frameText)
  const me = useMe()
  const name = useId()
  const of = useFrame()
  return (
    <fieldset className={styles.choice} aria-labelledby={`${name}-title`} data-part="frames">
      <div className={styles.head}>
        <h2 id={`${name}-title`}>{t.title}</h2>
        <FrameState of={of} />
      </div>
      <div className={styles.frames}>
        {(['', ...AVATAR_FRAMES] as const).map((frame) => (
          <label
            key={frame}
            className={`${festive.choice} ${styles.frame}`}
            data-chosen={of.chosen === frame || undefined}
          >
            <input
              type="radio"
              className="unseen"
              name={name}
              checked={of.chosen === frame}
              onChange={() => of.choose(frame)}
            />
            <Avatar of={{ ...me, avatar_frame: frame }} size={56} />
            {t[frame || 'none']}
          </label>
        ))}
      </div>
      <p className={styles.why}>{me.is_vip ? t.why : t.whyNot}</p>
    </fieldset>
  )
}

/** What became of the choice, beside the title, so that nothing moves when it is said. */
function FrameState({ of: { saving, retry } }: { of: ReturnType<typeof useFrame> }) {
  const t = useText(frameText)
  const tCommon = useText(commonText)
  const { status, failure } = saving
  const said = { idle: '', busy: t.saving, done: t.saved, failed: '' }[status]
  return (
    <div className={styles.state} role="status" data-failed={failure ? true : undefined}>
      {failure ? t.failed(failure.message) : said}
      {failure && (
        <Button kind="plain" onPress={retry}>
          {tCommon.retry}
        </Button>
      )}
    </div>
  )
}

/** The ring that is shown as chosen, and saving it: of quick taps the last one counts. */
function useFrame() {
  const me = useMe()
  const saving = useCall(updateSelf)
  const [wanted, setWanted] = useState<Chosen | null>(null)
  const last = useRef<Chosen>('')
  const now = me.avatar_frame ?? ''
  // From then on another device may change it.
  useEffect(() => setWanted((it) => (it === now ? null : it)), [now])
  const save = async (frame: Chosen): Promise<void> => {
    const changed = await saving.run({ avatar_frame: frame })
    // It failed, or an earlier one is under way, which is followed by the last one.
    if (!changed) return
    if (last.current !== frame) return save(last.current)
    invalidateRoute(userState)
  }
  const choose = (frame: Chosen) => {
    last.current = frame
    setWanted(frame)
    if (me.is_vip) void save(frame)
  }
  return { chosen: wanted ?? now, choose, saving, retry: () => void save(last.current) }
}
