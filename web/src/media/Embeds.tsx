import { assetKey, fitted, PREVIEW_MAX, sizeIn } from '@guildhall/wire/asset/name.ts'
import {
  type Embed,
  embedsOf,
  type ImageEmbed,
  type LinkEmbed,
  type VideoEmbed,
  watchedAt,
} from '@guildhall/wire/message/embed.ts'
import { type ReactNode, useMemo, useState } from 'react'
import { durationLabel } from '../kit/duration.ts'
import { useText } from '../kit/i18n.ts'
import { PlayIcon } from '../ui/icons.tsx'
import { WebLink } from '../ui/WebLink.tsx'
import styles from './Embeds.module.css'
import mediaStyles from './Media.module.css'
import { Picture, SizedImage } from './Picture.tsx'
import { text } from './text.ts'

/** Embeds: previews of the links in a message. chat.md §3 "Embeds". */
export function Embeds({ all }: { all: readonly unknown[] }) {
  const embeds = useMemo(() => embedsOf(all), [all])
  // biome-ignore lint/suspicious/noArrayIndexKey: the embeds of one message never move
  return embeds.map((it, index) => <Shown key={index} it={it} />)
}

function Shown({ it }: { it: Embed }): ReactNode {
  switch (it.type) {
    case 'image':
      return <Picture address={it.url} place={placeOf(it)} />
    case 'link':
      return <LinkCard it={it} />
    default:
      return <Video it={it} />
  }
}

/** CSS px, as in Embeds.module.css. */
const LINK_FACE = { width: 72, height: 72 }
const FILM = { width: 320, height: 180 }

/** A link preview. Its height depends on its text alone, so a late picture moves nothing. */
function LinkCard({ it }: { it: LinkEmbed }) {
  const [gone, setGone] = useState(false)
  return (
    <WebLink
      className={styles.linkCard}
      data-part="link-card"
      href={it.url}
      style={it.theme_color ? { borderInlineStartColor: it.theme_color } : undefined}
    >
      <span className={styles.linkText}>
        {it.site_name && <span className={styles.linkSite}>{it.site_name}</span>}
        <span className={styles.linkTitle}>{it.title}</span>
        {it.description && <span className={styles.linkAbout}>{it.description}</span>}
      </span>
      {it.image && (
        <span className={styles.linkFace} data-part="link-image">
          {!gone && (
            <SizedImage
              address={it.image}
              box={LINK_FACE}
              referrerPolicy="no-referrer"
              onGone={() => setGone(true)}
            />
          )}
        </span>
      )}
    </WebLink>
  )
}

/** The size of an external picture is unknown: its place is fixed, px. */
const UNKNOWN_SIZE = { width: 240, height: 180 }

const placeOf = ({ url }: ImageEmbed) =>
  fitted((assetKey(url) !== null && sizeIn(url)) || UNKNOWN_SIZE, PREVIEW_MAX)

/** Vertical margins of an embed, px. */
const MARGINS = 4
/** Heights of a full link preview, and of a video at full width, px. */
const LINK_HEIGHT = 104
const FILM_HEIGHT = 224

/** The estimated height of a message's embeds, px. */
export const embedsHeight = (all: readonly unknown[]): number =>
  embedsOf(all)
    .map((it) => (it.type === 'image' ? placeOf(it).height : it.type === 'link' ? LINK_HEIGHT : FILM_HEIGHT))
    .reduce((sum, height) => sum + height + MARGINS, 0)

function Video({ it }: { it: VideoEmbed }) {
  const t = useText(text)
  const [coverless, setCoverless] = useState(false)
  const href = watchedAt(it)
  const inside = (
    <>
      <span className={`${mediaStyles.videoFace} ${styles.embedFace}`}>
        {it.pic && !coverless && (
          <SizedImage
            address={it.pic}
            box={FILM}
            referrerPolicy="no-referrer"
            onGone={() => setCoverless(true)}
          />
        )}
        <span className={mediaStyles.videoPlay}>
          <PlayIcon size={28} />
        </span>
        {it.duration !== undefined && it.duration > 0 && (
          <span className={mediaStyles.videoLength}>{durationLabel(it.duration)}</span>
        )}
      </span>
      <span className={mediaStyles.videoText}>
        <span className={mediaStyles.videoName}>{it.title || t.video}</span>
        <span className={mediaStyles.fileSize}>bilibili</span>
      </span>
    </>
  )
  if (href === null) return <div className={`${mediaStyles.video} ${styles.embed}`}>{inside}</div>
  return (
    <WebLink className={`${mediaStyles.video} ${styles.embed}`} href={href}>
      {inside}
    </WebLink>
  )
}
