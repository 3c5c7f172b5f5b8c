import { EMOJI_NAME_MAX } from '@guildhall/wire/emoji/manage.ts'
import { useId, useRef, useState } from 'react'
import type { Area } from 'react-easy-crop'
import { useText } from '../../kit/i18n.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { CloseIcon } from '../../ui/icon/icon.tsx'
import { Sheet } from '../../ui/overlay/Sheet.tsx'
import { Crop, ZOOM_MAX } from '../../ui/picture/Crop.tsx'
import styles from './EmojiSettings.module.css'
import type { PickedEmoji } from './picked.ts'
import { settingsText } from './settingsText.ts'
import type { usePickedEmoji } from './usePickedEmoji.ts'

/** A picture that is to be added: how it will look, its name, and how far it is. */
export function PickedRow({
  picked,
  adding,
}: {
  picked: PickedEmoji
  adding: ReturnType<typeof usePickedEmoji>
}) {
  const t = useText(settingsText)
  const [isCropping, setCropping] = useState(false)
  const { key, prepared, fate, name, sent, problem } = picked
  const called = name || prepared.file.name
  return (
    <li className={styles.picked}>
      <img className={styles.preview} src={picked.url} alt="" />
      <div className={styles.naming}>
        <Field
          label={t.nameOf(prepared.file.name)}
          name={`name-${key}`}
          autoComplete="off"
          maxLength={EMOJI_NAME_MAX * 2}
          value={name}
          onChange={(value) => adding.change(key, { name: value, problem: '' })}
          error={problem || undefined}
        />
        {fate !== 'cut' && <p className={styles.fact}>{t[fate]}</p>}
        {sent === null ? (
          <div className={styles.acts}>
            {fate !== 'moves' && (
              <Button kind="plain" aria-label={t.cropOf(called)} onPress={() => setCropping(true)}>
                {t.crop}
              </Button>
            )}
            {problem !== '' && (
              <Button
                kind="plain"
                aria-label={t.againOf(called)}
                busy={adding.isSending}
                onPress={() => void adding.upload([picked])}
              >
                {t.again}
              </Button>
            )}
          </div>
        ) : (
          <progress
            className={styles.progress}
            max={1}
            value={sent}
            aria-label={t.sent(Math.round(sent * 100))}
          />
        )}
      </div>
      {sent === null && (
        <IconButton label={t.leaveOutOf(called)} onPress={() => adding.leave(picked)}>
          <CloseIcon size={20} />
        </IconButton>
      )}
      {isCropping && (
        <CropSheet
          picked={picked}
          onCut={(part) => {
            setCropping(false)
            void adding.crop(picked, part)
          }}
          onClose={() => setCropping(false)}
        />
      )}
    </li>
  )
}

function CropSheet(props: { picked: PickedEmoji; onCut: (part: Area) => void; onClose: () => void }) {
  const t = useText(settingsText)
  const id = useId()
  const part = useRef<Area | null>(null)
  return (
    <Sheet title={t.crop} onClose={props.onClose}>
      <p className={styles.fact} id={id}>
        {t.cropWhy}
      </p>
      <Crop
        picture={props.picked.prepared}
        shape="rect"
        ratio={1}
        zoomMax={ZOOM_MAX}
        isBusy={false}
        describedBy={id}
        onPart={(pixels) => {
          part.current = pixels
        }}
      />
      <div className={styles.done}>
        <Button block onPress={() => (part.current ? props.onCut(part.current) : props.onClose())}>
          {t.done}
        </Button>
      </div>
    </Sheet>
  )
}
