import { useId, useRef, useState } from 'react'
import type { Area } from 'react-easy-crop'
import { useMe } from '../auth/auth.ts'
import { useText } from '../kit/i18n.ts'
import { cut, type Prepared, type Square } from '../kit/picture/picturePrepared.ts'
import { Button } from '../ui/Button.tsx'
import fieldStyles from '../ui/form/Field.module.css'
import { Crop, KeepsMoving, ZOOM_MAX } from '../ui/picture/Crop.tsx'
import styles from './Avatar.module.css'
import { avatarText } from './avatarText.ts'
import { useSaveAvatar } from './useSaveAvatar.ts'

const PREVIEW_SIDES = [64, 36] as const
const WHOLE: Area = { x: 0, y: 0, width: 100, height: 100 }

/** Moving and zooming a picture under a round opening, by touch, mouse, keys or slider; then it is saved. */
export default function CropStep(props: { picture: Prepared; onSaved: () => void; onOther: () => void }) {
  const t = useText(avatarText)
  const { picture } = props
  const id = useId()
  const [shown, setShown] = useState(WHOLE)
  const [problem, setProblem] = useState('')
  const { onPart, file } = useCut(picture)
  const saving = useSaveAvatar(props.onSaved)
  const me = useMe()
  const [keepsMoving, setKeepsMoving] = useState(picture.mayMove && me.is_vip)
  const isBusy = saving.sent !== null
  const message = saving.failure?.message ?? problem

  const save = async () => {
    setProblem('')
    if (keepsMoving) return saving.run(picture.file)
    const made = await file()
    if (made === 'none') return
    if (made === null) return setProblem(t.failed)
    await saving.run(made)
  }
  return (
    <>
      <h2 className={styles.heading}>{t.cropTitle}</h2>
      <p className={styles.why} id={`${id}why`}>
        {t.cropWhy}
      </p>
      <Crop
        picture={picture}
        shape="round"
        ratio={1}
        zoomMax={ZOOM_MAX}
        isBusy={isBusy}
        describedBy={`${id}why`}
        onPart={(pixels, percent) => {
          setShown(percent)
          onPart(pixels)
        }}
      >
        <Previews label={t.preview} picture={picture} shown={shown} />
      </Crop>
      {picture.mayMove && me.is_vip && (
        <KeepsMoving
          className={styles.keeps}
          label={t.keepsMoving}
          isOn={keepsMoving}
          isBusy={isBusy}
          onChange={setKeepsMoving}
        />
      )}
      {picture.mayMove && !me.is_vip && <p className={styles.why}>{t.still}</p>}
      {saving.sent !== null && <Sent fraction={saving.sent} />}
      <p className={fieldStyles.formProblem} role="alert">
        {message}
      </p>
      <Buttons saving={saving} onSave={() => void save()} onOther={props.onOther} />
    </>
  )
}

function Buttons(props: {
  saving: ReturnType<typeof useSaveAvatar>
  onSave: () => void
  onOther: () => void
}) {
  const t = useText(avatarText)
  const { sent, failure, cancel } = props.saving
  const isBusy = sent !== null
  return (
    <div className={styles.buttons}>
      <Button block busy={isBusy} onPress={props.onSave}>
        {isBusy ? t.uploading(percentOf(sent)) : failure ? t.retry : t.save}
      </Button>
      <Button block kind="quiet" onPress={isBusy ? cancel : props.onOther}>
        {isBusy ? t.cancel : t.chooseOther}
      </Button>
    </div>
  )
}

/** The square that is kept, and the file that is cut of it; null: that failed. */
function useCut(picture: Prepared) {
  const square = useRef<Square | null>(null)
  /** What was cut last: a second try sends the same file. */
  const made = useRef<{ readonly of: Square; readonly file: File } | null>(null)
  const onPart = ({ x, y, width }: Area) => {
    const known = square.current
    // The library says the same again on every render.
    if (known?.x !== x || known.y !== y || known.width !== width) square.current = { x, y, width }
  }
  const file = async (): Promise<File | null | 'none'> => {
    const wanted = square.current
    if (!wanted) return 'none'
    if (made.current?.of !== wanted) {
      const file = await cut(picture, wanted).catch(() => null)
      if (!file) return null
      made.current = { of: wanted, file }
    }
    return made.current.file
  }
  return { onPart, file }
}

const percentOf = (fraction: number): number => Math.round(fraction * 100)

function Sent({ fraction }: { fraction: number }) {
  const t = useText(avatarText)
  return (
    <div
      className={styles.progress}
      role="progressbar"
      aria-label={t.progress}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percentOf(fraction)}
    >
      <span style={{ width: `${percentOf(fraction)}%` }} />
    </div>
  )
}

/** What the opening shows, as small as it is beside messages. Decoration: it repeats the picture above. */
function Previews({ label, picture, shown }: { label: string; picture: Prepared; shown: Area }) {
  return (
    <div className={styles.previews} aria-hidden="true">
      <span>{label}</span>
      {PREVIEW_SIDES.map((side) => (
        <span key={side} className={styles.preview} style={{ width: side, height: side }}>
          <img
            alt=""
            src={picture.url}
            style={{
              width: (side * 100) / shown.width,
              height: (side * 100) / shown.height,
              left: (-side * shown.x) / shown.width,
              top: (-side * shown.y) / shown.height,
            }}
          />
        </span>
      ))}
    </div>
  )
}
