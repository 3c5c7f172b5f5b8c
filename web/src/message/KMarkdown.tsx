import { type KmNode, mentionText, type Names } from '@guildhall/wire/kmarkdown/kmarkdown.ts'
import { useState } from 'react'
import { useText } from '../kit/i18n.ts'
import { text } from './text.ts'

/** Whom a reader is: mentions of oneself stand out. */
export interface Reader {
  readonly id: string
  readonly roles: readonly number[]
}

/** Nodes of KMarkdown as elements. Text stays text: nothing here reads markup. protocol.md §6. */
export function KMarkdown(props: { nodes: readonly KmNode[]; names: Names; reader: Reader }) {
  return props.nodes.map((node, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the nodes of one text never move
    <Node key={index} node={node} names={props.names} reader={props.reader} />
  ))
}

function Node({ node, names, reader }: { node: KmNode; names: Names; reader: Reader }) {
  if (node.type === 'text') return node.content
  switch (node.tagName) {
    case 'strong':
    case 'em':
    case 'del':
    case 'ins': {
      const Tag = node.tagName
      return (
        <Tag>
          <KMarkdown nodes={node.children} names={names} reader={reader} />
        </Tag>
      )
    }
    case 'spl':
      return <Spoiler nodes={node.children} names={names} reader={reader} />
    case 'a':
      return (
        <a href={node.href} target="_blank" rel="noopener noreferrer nofollow">
          <KMarkdown nodes={node.children} names={names} reader={reader} />
        </a>
      )
    case 'code':
      return <code className="words-code">{node.value}</code>
    case 'emj':
      return <span className="words-emoji">:{node.name}:</span>
    case 'met':
    case 'rol':
    case 'chn':
      return (
        <span className="mention" data-own={isOwn(node.tagName, node.value, reader) || undefined}>
          {mentionText(node.tagName, node.value, names)}
        </span>
      )
  }
}

function isOwn(tag: 'met' | 'rol' | 'chn', value: string, reader: Reader): boolean {
  if (tag === 'met') return value === 'all' || value === 'here' || value === reader.id
  return tag === 'rol' && (value === '0' || reader.roles.includes(Number(value)))
}

/** Hidden until tapped. */
function Spoiler(props: { nodes: readonly KmNode[]; names: Names; reader: Reader }) {
  const t = useText(text)
  const [open, setOpen] = useState(false)
  if (open)
    return (
      <span className="spoiler" data-open>
        <KMarkdown {...props} />
      </span>
    )
  return (
    <button type="button" className="spoiler" aria-label={t.spoiler} onClick={() => setOpen(true)}>
      <span aria-hidden="true" inert>
        <KMarkdown {...props} />
      </span>
    </button>
  )
}
