import './media.css'
import { fitted, PREVIEW_MAX, sizeIn } from '@guildhall/wire/asset/name.ts'
import { type Attachment, attachmentOf } from '@guildhall/wire/message/attachment.ts'
import { kindOf } from '@guildhall/wire/message/kind.ts'
import { lazy, Suspense, useState } from 'react'
import { hrefOf } from '../asset/asset.ts'
import { useText } from '../kit/i18n.ts'
import { sizeLabel } from '../kit/size.ts'
import { AlertIcon, DownloadIcon, FileIcon } from '../ui/icons.tsx'
import { text } from './text.ts'
import { previewOf } from './tray.ts'

const Viewer = lazy(() => import('./Viewer.tsx'))

/** What a message with a file carries, stored or on its way. `type` is the specification's number. */
export interface Carried {
  readonly type: number
  readonly content: string
  readonly attachments: unknown
}

const UNKNOWN_SIZE = { width: 240, height: 180 }

/** The place a picture takes before it is there, px. chat.md §9 "Image preview". */
export function placeOf(it: Carried) {
  const { width, height } = attachmentOf(it) ?? {}
  const size = sizeIn(it.content) ?? (width && height ? { width, height } : UNKNOWN_SIZE)
  return fitted(size, PREVIEW_MAX)
}

/** Whether this page shows the file of a message itself. Videos and voices are for the app. */
export const isShownHere = (type: number): boolean => {
  const kind = kindOf(type, 'specification')
  return kind === 'image' || kind === 'file'
}

/** The picture or file of a message. chat.md §3. */
export function Media({ it }: { it: Carried }) {
  const about = attachmentOf(it)
  return kindOf(it.type, 'specification') === 'image' ? (
    <Picture it={it} about={about} />
  ) : (
    <FileCard it={it} about={about} />
  )
}

function Picture({ it, about }: { it: Carried; about: Attachment | null }) {
  const t = useText(text)
  const [open, setOpen] = useState(false)
  const [gone, setGone] = useState(false)
  const { width, height } = placeOf(it)
  const src = previewOf(it.content) ?? hrefOf(it.content)
  const label = about?.name ? t.pictureOf(about.name) : t.picture
  const place = { width, aspectRatio: `${width} / ${height}` }
  if (gone)
    return (
      <div className="picture picture-gone" style={place}>
        <AlertIcon size={20} />
        <span>{t.pictureGone}</span>
      </div>
    )
  return (
    <>
      <button
        type="button"
        className="picture"
        style={place}
        aria-label={label}
        onClick={() => setOpen(true)}
      >
        <img
          src={src}
          alt=""
          width={width}
          height={height}
          loading="lazy"
          decoding="async"
          onError={() => setGone(true)}
        />
      </button>
      {open && (
        <Suspense fallback={null}>
          <Viewer src={src} label={label} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

function FileCard({ it, about }: { it: Carried; about: Attachment | null }) {
  const t = useText(text)
  const name = about?.name || it.content.split('/').at(-1) || ''
  const size = typeof about?.size === 'number' ? sizeLabel(about.size) : ''
  return (
    <a className="file" href={hrefOf(it.content)} download={name}>
      <span className="unseen">{t.download}</span>
      <span className="file-art">
        <FileIcon size={28} />
      </span>
      <span className="file-words">
        <span className="file-name">{name}</span>
        <span className="file-size">{size}</span>
      </span>
      <DownloadIcon size={20} />
    </a>
  )
}
