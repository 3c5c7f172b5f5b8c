import { type Embed, embedsOf, type VideoEmbed, watchedAt } from '@guildhall/wire/message/embed.ts'
import { lazy, Suspense, useMemo, useState } from 'react'
import { hrefOf } from '../asset/asset.ts'
import { useText } from '../kit/i18n.ts'
import { AlertIcon, PlayIcon } from '../ui/icons.tsx'
import { lengthLabel } from './length.ts'
import { text } from './text.ts'

const Viewer = lazy(() => import('./Viewer.tsx'))

/** What the addresses in a message lead to. chat.md §3 "Embeds". */
export function Embeds({ all }: { all: readonly unknown[] }) {
  const embeds = useMemo(() => embedsOf(all), [all])
  return embeds.map((it, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the embeds of one message never move
    it.type === 'image' ? <Picture key={index} it={it} /> : <Video key={index} it={it} />,
  )
}

function Picture({ it }: { it: Extract<Embed, { type: 'image' }> }) {
  const t = useText(text)
  const [open, setOpen] = useState(false)
  const [gone, setGone] = useState(false)
  const src = hrefOf(it.url)
  if (gone)
    return (
      <div className="picture picture-gone embed-picture">
        <AlertIcon size={20} />
        <span>{t.pictureGone}</span>
      </div>
    )
  return (
    <>
      <button
        type="button"
        className="picture embed-picture"
        aria-label={t.picture}
        onClick={() => setOpen(true)}
      >
        <img src={src} alt="" loading="lazy" decoding="async" onError={() => setGone(true)} />
      </button>
      {open && (
        <Suspense fallback={null}>
          <Viewer src={src} label={t.picture} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

function Video({ it }: { it: VideoEmbed }) {
  const t = useText(text)
  const [coverless, setCoverless] = useState(false)
  const href = watchedAt(it)
  const inside = (
    <>
      <span className="video-face embed-face">
        {it.pic && !coverless && (
          <img
            src={hrefOf(it.pic)}
            alt=""
            loading="lazy"
            decoding="async"
            referrerPolicy="no-referrer"
            onError={() => setCoverless(true)}
          />
        )}
        <span className="video-play">
          <PlayIcon size={28} />
        </span>
        {it.duration !== undefined && it.duration > 0 && (
          <span className="video-length">{lengthLabel(it.duration)}</span>
        )}
      </span>
      <span className="video-words">
        <span className="video-name">{it.title || t.video}</span>
        <span className="file-size">bilibili</span>
      </span>
    </>
  )
  if (href === null) return <div className="video embed">{inside}</div>
  return (
    <a className="video embed" href={href} target="_blank" rel="noopener noreferrer nofollow">
      {inside}
    </a>
  )
}
