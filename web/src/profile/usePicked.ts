import { BANNER_MIN, ICON_MIN, PICTURE_MAX_BYTES, PICTURE_TYPES } from '@guildhall/wire/profile/profile.ts'
import { useEffect, useRef, useState } from 'react'
import { useText } from '../kit/i18n.ts'
import { type Prepared, prepare } from '../kit/picture/picturePrepared.ts'
import { text } from './text.ts'

export type PictureKind = 'icon' | 'banner'

/** A picture that was picked and fits, ready to be cropped. */
export interface PickedPicture {
  readonly kind: PictureKind
  readonly prepared: Prepared
}

export const LEAST = { icon: ICON_MIN, banner: BANNER_MIN } as const

/**
 * The file that the user picked, checked and opened; its memory is freed with the next one and with the page.
 * commerce.md §5.
 */
export function usePicked() {
  const t = useText(text)
  const [picture, setPicture] = useState<PickedPicture | null>(null)
  const [errors, setErrors] = useState<{ readonly [Kind in PictureKind]?: string }>({})
  const [isOpening, setOpening] = useState(false)
  const isGone = useRef(false)
  useEffect(() => () => picture?.prepared.close(), [picture])
  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
    }
  }, [])

  const prepared = async (kind: PictureKind, file: File): Promise<Prepared | string> => {
    if (!PICTURE_TYPES.includes(file.type)) return t.wrongKind
    if (file.size > PICTURE_MAX_BYTES) return t.tooLarge
    const least = LEAST[kind]
    const opened = await prepare(file, least)
    if (typeof opened === 'string') return t.wrongKind
    const { width, height } = opened.canvas
    if (width >= least.width && height >= least.height) return opened
    opened.close()
    return t.tooSmall(least.width, least.height)
  }
  const open = async (kind: PictureKind, file: File | undefined): Promise<void> => {
    if (!file || isOpening) return
    setErrors({})
    setOpening(true)
    const opened = await prepared(kind, file)
    setOpening(false)
    if (typeof opened === 'string') setErrors({ [kind]: opened })
    else if (isGone.current) opened.close()
    else setPicture({ kind, prepared: opened })
  }
  return { picture, errors, isOpening, open, close: () => setPicture(null) }
}
