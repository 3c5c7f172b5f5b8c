import { type KmNode, type Names, plain } from '@guildhall/wire/kmarkdown/kmarkdown.ts'
import { type SyntheticEvent, useEffect, useRef, useState } from 'react'
import { useText } from '../kit/i18n.ts'
import { useFailedLoad } from '../kit/picture/useFailedLoad.ts'
import { EmojiText } from '../ui/picture/EmojiText.tsx'
import { WebLink } from '../ui/WebLink.tsx'
import { CodeBlock } from './CodeBlock.tsx'
import { hiddenTarget } from './hiddenTarget.ts'
import styles from './KMarkdown.module.css'
import { Mention } from './Mention.tsx'
import { MentionTargetsContext } from './mentionTargets.ts'
import type { Reader } from './reader.ts'
import { text } from './text.ts'

export type { Reader } from './reader.ts'

interface Drawn {
  readonly nodes: readonly KmNode[]
  readonly names: Names
  readonly reader: Reader
}

/** Renders KMarkdown nodes as elements. Text is never parsed here. protocol.md §6. */
export function KMarkdown(props: Drawn) {
  return props.nodes.map((node, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the nodes of one text never move
    <Node key={index} node={node} names={props.names} reader={props.reader} />
  ))
}

function Node({ node, names, reader }: { node: KmNode; names: Names; reader: Reader }) {
  if (node.type === 'text') return <EmojiText>{node.content}</EmojiText>
  const inner = 'children' in node && <KMarkdown nodes={node.children} names={names} reader={reader} />
  switch (node.tagName) {
    case 'strong':
    case 'em':
    case 'del':
    case 'ins': {
      const Tag = node.tagName
      return <Tag>{inner}</Tag>
    }
    case 'spl':
      return <Spoiler nodes={node.children} names={names} reader={reader} />
    case 'blockquote':
      return <blockquote className={styles.quote}>{inner}</blockquote>
    case 'hr':
      return <hr className={styles.divider} />
    case 'font':
      return (
        <span className={styles.font} data-font={node.theme}>
          {inner}
        </span>
      )
    case 'a': {
      const target = hiddenTarget(plain(node.children, names), node.href)
      return (
        <WebLink href={node.href}>
          <MentionTargetsContext value={null}>{inner}</MentionTargetsContext>
          {target !== null && <span className={styles.target}> ({target})</span>}
        </WebLink>
      )
    }
    case 'code':
      return <code className={styles.code}>{node.value}</code>
    case 'codeblock':
      return <CodeBlock lang={node.lang} value={node.value} />
    case 'emj':
      return (
        <CustomEmoji name={names.emojiName?.(node.id) ?? node.name} src={names.emoji?.(node.id) ?? null} />
      )
    case 'met':
    case 'rol':
    case 'chn':
      return <Mention node={node} names={names} reader={reader} />
  }
}

/** A custom emoji: its picture, or its name while there is none. */
export function CustomEmoji({ name, src }: { name: string; src: string | null }) {
  const { hasFailed, fail } = useFailedLoad(src)
  if (src === null || hasFailed)
    return (
      <span className={styles.emojiName} data-part="emoji-name">
        :{name}:
      </span>
    )
  return (
    <img
      className={styles.emoji}
      data-part="emoji"
      src={src}
      alt={`:${name}:`}
      title={name}
      decoding="async"
      draggable={false}
      onError={fail}
    />
  )
}

/** A spoiler: hidden until tapped. Nothing inside can be focused or fetched before. */
function Spoiler(props: Drawn) {
  const t = useText(text)
  const [open, setOpen] = useState(false)
  const shown = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    // The focused button is gone.
    if (open) shown.current?.focus({ preventScroll: true })
  }, [open])
  if (open)
    return (
      <span className={styles.spoiler} data-part="spoiler" data-open ref={shown} tabIndex={-1}>
        <KMarkdown {...props} />
      </span>
    )
  const reveal = (event: SyntheticEvent) => {
    // Inside a link the first tap only reveals.
    event.preventDefault()
    event.stopPropagation()
    setOpen(true)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a button of HTML cannot break across lines, as text does
    <span
      role="button"
      tabIndex={0}
      className={styles.spoiler}
      data-part="spoiler"
      aria-label={t.showHidden}
      onClick={reveal}
      onKeyDown={(event) => {
        if (event.key === 'Enter' || event.key === ' ') reveal(event)
      }}
    >
      <span aria-hidden="true">{plain(props.nodes, props.names)}</span>
    </span>
  )
}
