import type { ReactNode } from 'react'
import { useText } from '../kit/i18n.ts'
import styles from './CaptchaDialog.module.css'
import { text } from './text.ts'

export const pngOf = (base64: string): string => `data:image/png;base64,${base64}`

/** The picture of a challenge, with what lies on it. */
export function Picture({ imgData, children }: { imgData: string; children?: ReactNode }) {
  const t = useText(text)
  return (
    <div className={styles.picture}>
      <img src={pngOf(imgData)} alt={t.picture} draggable={false} />
      {children}
    </div>
  )
}
