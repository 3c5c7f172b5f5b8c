import type { PayWay } from '@guildhall/wire/payWay.ts'
import { useMemo, useState } from 'react'
import { saveFile } from '../../kit/browser/saveFile.ts'
import { useText } from '../../kit/i18n.ts'
import { here, isInChatApp } from '../../native/environment.ts'
import { Button } from '../../ui/Button.tsx'
import { qrPng } from '../../ui/picture/qrPng.ts'
import styles from '../PaySheet.module.css'
import { text } from './text.ts'

/**
 * A code on the screen of a phone, which cannot scan it: the app opens, or the picture of the code is saved
 * and chosen there, which it says step by step.
 */
export function PhoneCode(props: { way: PayWay; code: string; isBusy: boolean; onOpen: () => void }) {
  const { way } = props
  const t = useText(text)
  // A `data:` address, which also those browsers save that know no files.
  const png = useMemo(() => qrPng(props.code), [props.code])
  const file = useMemo(() => new File([bytesOf(png)], `${way}-pay.png`, { type: 'image/png' }), [png, way])
  // Where the browser cannot save it, the picture itself is held.
  const [isHeld, setHeld] = useState(false)
  const how = isHeld ? 'hold' : savingHere(file)
  const save = async () => {
    if (how === 'download') return saveFile(file.name, file, file.type)
    await navigator.share({ files: [file] }).catch((error: Error) => {
      if (error.name !== 'AbortError') setHeld(true)
    })
  }
  return (
    <>
      <div className={styles.qr} data-phone>
        <img className={styles.qrImage} src={png} alt={t.qr(way)} />
      </div>
      <div className={styles.codeActs}>
        <Button block busy={props.isBusy} onPress={props.onOpen}>
          {t.open(way)}
        </Button>
        {how !== 'hold' && (
          <Button kind="soft" block onPress={() => void save()}>
            {t.saveCode}
          </Button>
        )}
      </div>
      <p className={styles.stepsTitle}>{t.notOpened(way)}</p>
      <ol className={styles.steps}>
        <li>{how === 'hold' ? t.holdStep : t.saveStep}</li>
        <li>{t.scanStep(way)}</li>
        <li>{t.albumStep}</li>
        <li>{t.backStep}</li>
      </ol>
    </>
  )
}

/** How a picture gets into the album: chat apps and old iPhones save nothing but what is held. */
function savingHere(file: File): 'share' | 'download' | 'hold' {
  const environment = here()
  if (isInChatApp(environment)) return 'hold'
  if (environment.platform !== 'ios') return 'download'
  // What is downloaded there goes to the files, where the album is not.
  return navigator.canShare?.({ files: [file] }) ? 'share' : 'hold'
}

const bytesOf = (png: string) =>
  Uint8Array.from(atob(png.slice(png.indexOf(',') + 1)), (it) => it.charCodeAt(0))
