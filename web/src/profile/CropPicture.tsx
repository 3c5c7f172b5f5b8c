import { firstLevelOf, hasRight } from '@guildhall/wire/guild/levelRights.ts'
import { BANNER_CUT_MIN, BANNER_RATIO, ICON_MIN } from '@guildhall/wire/profile/profile.ts'
import { useId, useRef, useState } from 'react'
import type { Area } from 'react-easy-crop'
import { upload } from '../asset/asset.ts'
import { useText } from '../kit/i18n.ts'
import { cutPart, type Prepared } from '../kit/picture/picturePrepared.ts'
import { useUpload } from '../kit/picture/useUpload.ts'
import { Button } from '../ui/Button.tsx'
import fieldStyles from '../ui/form/Field.module.css'
import { Crop, KeepsMoving, ZOOM_MAX } from '../ui/picture/Crop.tsx'
import styles from './Profile.module.css'
import { text } from './text.ts'
import type { PickedPicture } from './usePicked.ts'

/** What is cut: its ratio, its smallest size and its largest width, px. */
const CUTS = {
  icon: { ratio: 1, least: ICON_MIN, most: 512 },
  banner: { ratio: BANNER_RATIO, least: BANNER_CUT_MIN, most: 1920 },
} as const

interface Props {
  readonly picked: PickedPicture
  /** That of the guild: it allows pictures that move. */
  readonly level: number
  readonly onDone: (url: string) => void
  readonly onClose: () => void
}

/**
 * Moving and zooming a picked icon or banner, and uploading the part that is kept. `onDone` gets its address.
 */
export default function CropPicture(props: Props) {
  const t = useText(text)
  const { kind, prepared } = props.picked
  const { ratio, least, most } = CUTS[kind]
  const id = useId()
  const mayMove = prepared.mayMove && hasRight('guild_logo_gif', props.level)
  const [keepsMoving, setKeepsMoving] = useState(mayMove)
  const part = useRef<Area | null>(null)
  const { sent, failure, run } = useUpload(upload)
  const [isUncut, setIsUncut] = useState(false)
  const done = async () => {
    const { current } = part
    if (!current) return
    const file = keepsMoving ? prepared.file : await cutPart(prepared, grown(current, least.width), most)
    setIsUncut(!file)
    if (file) await run(file, props.onDone)
  }
  const problem = isUncut ? t.uploadFailed : failure && (failure.message || t.uploadFailed)
  return (
    <main className={styles.screen}>
      <p className={styles.tip} id={`${id}why`}>
        {t.cropWhy}
      </p>
      <Crop
        picture={prepared}
        shape="rect"
        ratio={ratio}
        zoomMax={zoomMaxOf(prepared, ratio, least.width)}
        isBusy={sent !== null}
        describedBy={`${id}why`}
        onPart={(pixels) => {
          part.current = pixels
        }}
      />
      {mayMove && (
        <KeepsMoving
          className={styles.keeps}
          label={t.keepsMoving}
          isOn={keepsMoving}
          isBusy={sent !== null}
          onChange={setKeepsMoving}
        />
      )}
      {prepared.mayMove && !mayMove && (
        <p className={styles.tip}>{t.still(firstLevelOf('guild_logo_gif'))}</p>
      )}
      <p className={fieldStyles.formProblem} role="alert">
        {problem}
      </p>
      <Button block busy={sent !== null} onPress={() => void done()}>
        {sent === null ? t.done : t.uploading(Math.round(sent * 100))}
      </Button>
      <Button block kind="quiet" onPress={props.onClose}>
        {t.cancel}
      </Button>
    </main>
  )
}

/** The cropper rounds: a part that misses the smallest width by a pixel or two is as wide. */
const grown = (area: Area, least: number): Area => {
  const scale = Math.max(1, least / area.width)
  return scale > 1.02 ? area : { ...area, width: area.width * scale, height: area.height * scale }
}

/** What is cut must not be smaller than it may be. */
const zoomMaxOf = ({ canvas: { width, height } }: Prepared, ratio: number, least: number): number =>
  Math.min(ZOOM_MAX, Math.max(1, Math.min(width, height * ratio) / least))
