import { type Attachment, attachment } from '@guildhall/wire/message/attachment.ts'
import type { EvidenceMessage } from '@guildhall/wire/report/evidence.ts'
import type { Mark } from '@guildhall/wire/search/search.ts'
import { Marked } from '../../kit/find/Marked.tsx'
import { piecesOf } from '../../kit/find/pieces.ts'
import { sizeLabel } from '../../kit/format/fileSize.ts'
import { useText } from '../../kit/i18n.ts'
import { PersonLink } from '../parts/Links.tsx'
import { Moment, Tag } from '../parts/Section.tsx'
import { Shown } from '../parts/Shown.tsx'
import { Source } from '../parts/Source.tsx'
import { TextDiff } from '../parts/TextDiff.tsx'
import styles from './reports.module.css'
import { reportsText } from './reportsText.ts'

/**
 * A message as staff read it: its words with names in place of mentions, and no markup that is drawn; what
 * was typed is behind a line.
 * `before`: an earlier one of it, against which changes are marked.
 */
export function MessageSeen(props: {
  of: EvidenceMessage
  before?: EvidenceMessage | null
  /** Only what stands around a reported one. */
  isAround?: boolean
  label?: string
  /** Where it stands, and what of its words was found, of one that was searched. */
  channel?: string | undefined
  marks?: readonly Mark[]
}) {
  const { of, before } = props
  const t = useText(reportsText)
  const read = attachment.safeParse(of.attachments)
  const file = read.success ? read.data : null
  const name = `${of.author.nickname || of.author.username}#${of.author.identify_num}`
  return (
    <li className={styles.message} data-around={props.isAround || undefined} aria-label={props.label}>
      <p className={styles.author}>
        <PersonLink id={of.author.id} name={name} />
        {of.author.bot && <Tag>{t.bot}</Tag>}
        <Moment at={of.create_at} />
        {props.channel && <span>#{props.channel}</span>}
        {of.updated_at > 0 && (
          <span>
            {t.editedAt} <Moment at={of.updated_at} />
          </span>
        )}
      </p>
      {of.quote && (
        <blockquote className={styles.quote}>
          {t.answers(of.quote.author)}
          {of.quote.content}
        </blockquote>
      )}
      {file ? (
        <File of={file} address={of.content} />
      ) : before ? (
        <TextDiff before={before.words} after={of.words} side="after" />
      ) : (
        <p className={styles.words}>
          <Marked of={piecesOf(of.words, props.marks ?? [])} />
        </p>
      )}
      {!file && of.content !== of.words && of.content !== '' && (
        <Source title={t.source} content={of.content} />
      )}
    </li>
  )
}

/** The file of a message: a picture is shown, others open beside the console. */
function File({ of, address }: { of: Attachment; address: string }) {
  const t = useText(reportsText)
  if (of.type === 'image') return <Shown src={address} alt={of.name || t.file} shape="picture" />
  return (
    <p>
      <a className={styles.file} href={address} target="_blank" rel="noreferrer">
        {of.name || t.file}
      </a>
      {typeof of.size === 'number' && ` · ${sizeLabel(of.size)}`}
    </p>
  )
}
