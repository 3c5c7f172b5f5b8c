import { assetKey } from '@guildhall/wire/asset/assetKey.ts'
import { fitted, PREVIEW_MAX, sizeIn } from '@guildhall/wire/asset/pictureSize.ts'
import {
  type Embed,
  embedsOf,
  type ImageEmbed,
  type LinkEmbed,
  type VideoEmbed,
  watchedAt,
} from '@guildhall/wire/message/embed.ts'
import { type ReactNode, useMemo } from 'react'
import { durationLabel } from '../kit/format/duration.ts'
import { useText } from '../kit/i18n.ts'
import { useFailedLoad } from '../kit/picture/useFailedLoad.ts'
import { WebLink } from '../ui/WebLink.tsx'
import styles from './Embeds.module.css'
import mediaStyles from './Media.module.css'
import { Picture, SizedImage } from './Picture.tsx'
import { text } from './text.ts'
import { VideoCover } from './VideoCover.tsx'

/** Embeds: previews of the links in a message. chat.md §3 "Embeds". */
export function Embeds({ all }: { all: readonly unknown[] }) {
  const embeds = useMemo(() => embedsOf(all), [all])
  // biome-ignore lint/suspicious/noArrayIndexKey: the embeds of one message never move
  return embeds.map((it, index) => <Shown key={index} embed={it} />)
}

function Shown({ embed }: { embed: Embed }): ReactNode {
  switch (embed.type) {
    case 'image':
      return <Picture address={embed.url} size={pictureSize(embed)} />
    case 'link':
      return <LinkCard embed={embed} />
    default:
      return <Video embed={embed} />
  }
}

/** CSS px, as in Embeds.module.css. */
const LINK_FACE = { width: 72, height: 72 }
/** The cover of a video, CSS px. */
const FILM = { width: 320, height: 180 }

/** A link preview. Its height depends on its text alone, so a late picture moves nothing. */
function LinkCard({ embed }: { embed: LinkEmbed }) {
  const { hasFailed, fail } = useFailedLoad(embed.image)
  return (
    <WebLink
      className={styles.linkCard}
      data-part="link-card"
      href={embed.url}
      style={embed.theme_color ? { borderInlineStartColor: embed.theme_color } : undefined}
    >
      <span className={styles.linkText}>
        {embed.site_name && <span className={styles.linkSite}>{embed.site_name}</span>}
        <span className={styles.linkTitle}>{embed.title}</span>
        {embed.description && <span className={styles.linkAbout}>{embed.description}</span>}
      </span>
      {embed.image && (
        <span className={styles.linkFace} data-part="link-image">
          {!hasFailed && (
            <SizedImage address={embed.image} box={LINK_FACE} referrerPolicy="no-referrer" onGone={fail} />
          )}
        </span>
      )}
    </WebLink>
  )
}

/** The size reserved for an external picture, whose own is not known, px. */
const UNKNOWN_SIZE = { width: 240, height: 180 }

const pictureSize = ({ url }: ImageEmbed) =>
  fitted((assetKey(url) !== null && sizeIn(url)) || UNKNOWN_SIZE, PREVIEW_MAX)

/** Vertical margins of an embed, px. */
const MARGINS = 4
/** Heights of a full link preview, and of a video at full width, px. */
const LINK_HEIGHT = 104
const FILM_HEIGHT = 224

/** The estimated height of a message's embeds, px. */
export const embedsHeight = (all: readonly unknown[]): number =>
  embedsOf(all)
    .map((it) =>
      it.type === 'image' ? pictureSize(it).height : it.type === 'link' ? LINK_HEIGHT : FILM_HEIGHT,
    )
    .reduce((sum, height) => sum + height + MARGINS, 0)

function Video({ embed }: { embed: VideoEmbed }) {
  const t = useText(text)
  const { duration = 0 } = embed
  const href = watchedAt(embed)
  const className = `${mediaStyles.video} ${styles.embed}`
  const inside = (
    <>
      <VideoCover
        address={embed.pic}
        box={FILM}
        length={duration > 0 ? durationLabel(duration) : ''}
        referrerPolicy="no-referrer"
      />
      <span className={mediaStyles.videoText}>
        <span className={mediaStyles.videoName}>{embed.title || t.video}</span>
        <span className={mediaStyles.fileSize}>bilibili</span>
      </span>
    </>
  )
  return href === null ? (
    <div className={className}>{inside}</div>
  ) : (
    <WebLink className={className} href={href}>
      {inside}
    </WebLink>
  )
}
