import { attachmentOf } from '@guildhall/wire/message/attachment.ts'
import { useMemo, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { copiesOf, hrefOf } from '../../asset/asset.ts'
import { Marked } from '../../kit/find/Marked.tsx'
import type { Piece } from '../../kit/find/pieces.ts'
import { clockLabel, timeLabel } from '../../kit/format/time.ts'
import { useLocale, useText } from '../../kit/i18n.ts'
import { useFailedLoad } from '../../kit/picture/useFailedLoad.ts'
import { namesIn } from '../../kmarkdown/kmarkdown.ts'
import { ChevronIcon } from '../../ui/icon/icon.tsx'
import { FileIcon, PlayIcon } from '../../ui/icon/icons.tsx'
import { Avatar } from '../../ui/picture/Avatar.tsx'
import { BuffMark } from '../../ui/picture/BuffMark.tsx'
import { EmojiText } from '../../ui/picture/EmojiText.tsx'
import type { Asked } from '../address.ts'
import styles from '../SearchScreen.module.css'
import { Around } from './Around.tsx'
import { excerptOf, shownText } from './excerpt.ts'
import { isOfChat, kindIn, wayTo } from './hit.ts'
import { contentText, hitsText } from './hitsText.ts'
import type { Hit } from './useHits.ts'

/** The hits whose neighbours are shown, by visit of the search: whoever comes back finds them open. */
const opened = new Set<string>()

/** A message that was found: who wrote it, when and where, and its words around the marked ones. */
export function HitRow(props: { hit: Hit; asked: Asked; isUnderDay: boolean; onOpen: () => void }) {
  const { hit, asked } = props
  const t = useText(hitsText)
  const locale = useLocale()
  const { author, create_at: at } = hit.message
  const nickname = 'nickname' in author ? author.nickname : ''
  const name = nickname || author.username
  const time = props.isUnderDay ? clockLabel(at, locale) : timeLabel(at, Date.now(), locale)
  const saysWhere = asked.scope !== 'channel' && asked.scope !== 'chat'
  const visit = `${useLocation().key} ${hit.message.id}`
  const [isOpen, setOpen] = useState(opened.has(visit))
  const toggle = () => {
    if (isOpen) opened.delete(visit)
    else opened.add(visit)
    setOpen(!isOpen)
  }
  return (
    <li>
      <div className={styles.row}>
        <Link className={styles.hit} data-part="hit" {...wayTo(hit)} onClick={props.onOpen}>
          <Avatar of={author} size={40} />
          <span className={styles.body}>
            <span className={styles.line}>
              <span className="named">
                <b className={styles.name}>
                  <EmojiText>{name}</EmojiText>
                </b>
                {author.is_vip && <BuffMark />}
                {author.bot && <span className={styles.bot}>{t.bot}</span>}
              </span>
              <time className={styles.time} dateTime={new Date(at).toISOString()}>
                {time}
              </time>
            </span>
            {saysWhere && <Where hit={hit} withGuild={asked.scope === 'all'} />}
            <Words hit={hit} />
          </span>
          <Thumb hit={hit} />
        </Link>
        <button
          type="button"
          className={styles.disclosure}
          aria-label={t.around(name)}
          title={t.around(name)}
          aria-expanded={isOpen}
          onClick={toggle}
        >
          <ChevronIcon size={20} className={styles.chevron} />
        </button>
      </div>
      {isOpen && <Around hit={hit} onOpen={props.onOpen} />}
    </li>
  )
}

function Where({ hit, withGuild }: { hit: Hit; withGuild: boolean }) {
  const t = useText(hitsText)
  if (isOfChat(hit)) return <span className={styles.where}>{t.chatWith(hit.chat.target_info.username)}</span>
  return (
    <span className={styles.where}>
      <span className={styles.whereName}>#{hit.channel.name}</span>
      {withGuild && <span className={`${styles.whereName} ${styles.whereGuild}`}>{hit.guild.name}</span>}
    </span>
  )
}

/** The text with what was found in it marked; of a file its name, of what has no text its kind. */
function Words({ hit }: { hit: Hit }) {
  const tContent = useText(contentText)
  const locale = useLocale()
  const { message, marks } = hit
  const kind = kindIn(hit)
  const part = message.mention_info
  const pieces = useMemo((): readonly Piece[] => {
    if (kind !== 'kmarkdown' && kind !== 'text' && kind !== 'plain' && kind !== 'card') return []
    const raw = part.raw_content || (kind === 'plain' ? message.content : '')
    const shown = kind === 'kmarkdown' ? shownText(message, raw, namesIn(part, null, locale)) : raw
    return excerptOf(shown, shown.length === raw.length ? marks : [])
  }, [kind, message, part, marks, locale])
  const name = attachmentOf(message)?.name
  if (pieces.length === 0)
    return (
      <span className={styles.words} data-part="hit-words">
        <span className={styles.kindName}>{tContent[kind as 'image'] ?? tContent.other}</span> {name}
      </span>
    )
  return (
    <span className={styles.words} data-part="hit-words">
      {kind === 'card' && <span className={styles.kindName}>{tContent.card} </span>}
      <Marked of={pieces} />
    </span>
  )
}

/** A small picture of a picture, a sign of a file. */
function Thumb({ hit }: { hit: Hit }) {
  const kind = kindIn(hit)
  const address = kind === 'image' ? hit.message.content : attachmentOf(hit.message)?.cover
  const { hasFailed, fail } = useFailedLoad(address)
  if (kind !== 'image' && kind !== 'video' && kind !== 'file') return null
  if (kind === 'file' || !address || hasFailed)
    return (
      <span className={styles.thumb}>
        {kind === 'file' ? <FileIcon size={24} /> : kind === 'video' ? <PlayIcon size={24} /> : null}
      </span>
    )
  return (
    <span className={styles.thumb}>
      <img
        sizes="56px"
        srcSet={copiesOf(address)}
        src={hrefOf(address)}
        alt=""
        width={56}
        height={56}
        loading="lazy"
        decoding="async"
        onError={fail}
      />
      {kind === 'video' && <PlayIcon size={24} />}
    </span>
  )
}
