import { updateSelf } from '@guildhall/wire/auth/owner.ts'
import { userState } from '@guildhall/wire/auth/userState.ts'
import { drawnGround } from '@guildhall/wire/user/letter.ts'
import { useEffect, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { useMe } from '../auth/auth.ts'
import { FrameChoice } from '../buff/buff.ts'
import { useText } from '../kit/i18n.ts'
import { lazy, Suspense } from '../kit/lazy/lazy.tsx'
import { loadPart } from '../kit/lazy/lazyPart.ts'
import { paths } from '../kit/paths.ts'
import { type Prepared, prepare, type Unreadable } from '../kit/picture/picturePrepared.ts'
import { invalidateRoute } from '../kit/routeQuery.ts'
import { useCall } from '../kit/useCall.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import fieldStyles from '../ui/form/Field.module.css'
import { Dialog } from '../ui/overlay/Dialog.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import { Page } from '../ui/page/Page.tsx'
import { TopBar } from '../ui/page/TopBar.tsx'
import { usePageTitle } from '../ui/page/usePageTitle.ts'
import { Avatar } from '../ui/picture/Avatar.tsx'
import { LoadingState } from '../ui/state/LoadingState.tsx'
import styles from './Avatar.module.css'
import { avatarText } from './avatarText.ts'

const CropStep = lazy(() => loadPart(() => import('./CropStep.tsx')))

/** /account/avatar: another picture, or none. */
export default function AvatarScreen() {
  const t = useText(avatarText)
  const navigate = useNavigate()
  const picked = usePicked()
  const { picture } = picked
  const [problem, setProblem] = useState('')
  const file = useRef<HTMLInputElement>(null)
  usePageTitle(t.title)

  const leave = () => void navigate(paths.account(), { replace: true })
  const choose = () => file.current?.click()
  const open = async (chosen: File | undefined) => {
    if (!chosen) return
    setProblem('')
    const unreadable = await picked.open(chosen)
    if (unreadable) setProblem(t[unreadable])
  }
  const saved = () => {
    toast(t.saved)
    leave()
  }
  return (
    <Page>
      <TopBar title={t.title} onBack={picture ? picked.close : leave} />
      <main className={styles.screen}>
        <input
          ref={file}
          className={styles.file}
          type="file"
          accept="image/*"
          aria-label={t.choose}
          tabIndex={-1}
          onChange={({ target }) => {
            void open(target.files?.[0])
            // The same file can be chosen again.
            target.value = ''
          }}
        />
        {picture ? (
          <Suspense fallback={<LoadingState />}>
            <CropStep key={picture.url} picture={picture} onSaved={saved} onOther={choose} />
          </Suspense>
        ) : (
          <Now isOpening={picked.isOpening} onChoose={choose} onRemoved={leave} onProblem={setProblem} />
        )}
        <p className={fieldStyles.formProblem} role="alert">
          {problem}
        </p>
      </main>
    </Page>
  )
}

/** The file that the user picked, opened; its memory is freed with the next one and with the page. */
function usePicked() {
  const [picture, setPicture] = useState<Prepared | null>(null)
  const [isOpening, setOpening] = useState(false)
  const isGone = useRef(false)
  useEffect(() => () => picture?.close(), [picture])
  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
    }
  }, [])

  const open = async (file: File): Promise<Unreadable | null> => {
    setOpening(true)
    const opened = await prepare(file)
    if (typeof opened !== 'string') {
      if (isGone.current) opened.close()
      else setPicture(opened)
    }
    setOpening(false)
    return typeof opened === 'string' ? opened : null
  }
  return { picture, isOpening, open, close: () => setPicture(null) }
}

/** The picture that the user has. */
function Now(props: {
  isOpening: boolean
  onChoose: () => void
  onRemoved: () => void
  onProblem: (message: string) => void
}) {
  const t = useText(avatarText)
  const me = useMe()
  const [isAsked, setAsked] = useState(false)
  const removal = useCall(updateSelf)
  const hasPicture = me.avatar !== '' && !drawnGround(me.avatar)

  const remove = async () => {
    setAsked(false)
    props.onProblem('')
    const answer = await removal.run({ avatar: '' }, ({ message }) => props.onProblem(message))
    if (!answer) return
    invalidateRoute(userState)
    toast(t.removed)
    props.onRemoved()
  }
  return (
    <>
      <div className={styles.now}>
        <Avatar of={me} size={128} />
        <p className={styles.name}>{me.username}</p>
      </div>
      <p className={styles.why}>{t.why}</p>
      <div className={styles.buttons}>
        <Button block busy={props.isOpening} onPress={props.onChoose}>
          {props.isOpening ? t.opening : t.choose}
        </Button>
        {hasPicture && (
          <Button block kind="quiet" busy={removal.status === 'busy'} onPress={() => setAsked(true)}>
            {t.remove}
          </Button>
        )}
      </div>
      <div className={styles.frames}>
        <FrameChoice />
        {!me.is_vip && (
          <Link className={buttonClass('soft')} to="/account/buff">
            {t.aboutBuff}
          </Link>
        )}
      </div>
      {isAsked && (
        <Dialog
          title={t.removeTitle}
          message={t.removeWords}
          confirm={t.remove}
          danger
          onConfirm={() => void remove()}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  )
}
