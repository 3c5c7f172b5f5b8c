import { kindOf } from '@guildhall/wire/message/kind.ts'
import { Link } from 'react-router'
import { clockLabel } from '../kit/format/time.ts'
import { useLocale, useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import { Avatar } from '../ui/picture/Avatar.tsx'
import { BuffMark } from '../ui/picture/BuffMark.tsx'
import type { Hit } from './hits.ts'
import { piecesOf } from './marked.ts'
import styles from './Search.module.css'
import { text } from './text.ts'

/** Where a hit is opened: its room, at the message. */
const pathOf = ({ message, ...hit }: Hit): string =>
  'chat' in hit
    ? `${paths.chat(hit.chat.code)}?m=${message.id}`
    : paths.message(hit.guild.id, hit.channel.id, message.id)

/** A message that was found: who, where, when, and its words with what was found in them. */
export function HitRow({ hit, onOpen }: { hit: Hit; onOpen: () => void }) {
  const t = useText(text)
  const locale = useLocale()
  const { message } = hit
  const { author } = message
  const name = ('nickname' in author && author.nickname) || author.username
  const where =
    'chat' in hit ? t.privateWith(hit.chat.target_info.username) : `#${hit.channel.name} · ${hit.guild.name}`
  return (
    <li className={styles.hit} data-part="hit">
      <Link className={styles.link} to={pathOf(hit)} onClick={onOpen}>
        <Avatar of={author} size={40} />
        <span className={styles.body}>
          <span className={styles.top}>
            <span className="unseen">{t.open(name)}</span>
            <span className="named">
              <span className={styles.name}>{name}</span>
              {author.is_vip && <BuffMark />}
            </span>
            <time className={styles.time} dateTime={new Date(message.create_at).toISOString()}>
              {clockLabel(message.create_at, locale)}
            </time>
          </span>
          <Words hit={hit} />
          <span className={styles.where}>{where}</span>
        </span>
      </Link>
    </li>
  )
}

const KINDS = ['image', 'file', 'video', 'voice', 'card'] as const

function Words({ hit: { message, marks } }: { hit: Hit }) {
  const t = useText(text)
  const its = kindOf(message.type, 'public')
  const kind = KINDS.find((it) => it === its)
  const file = (message.attachments as { readonly name?: string } | null)?.name ?? ''
  return (
    <span className={styles.words} dir="auto">
      {kind && `${t[kind]} `}
      {kind === undefined || kind === 'card'
        ? piecesOf(message.mention_info.raw_content, marks).map(({ text: piece, isFound }, at) =>
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other name
            isFound ? <mark key={at}>{piece}</mark> : <span key={at}>{piece}</span>,
          )
        : file}
    </span>
  )
}
