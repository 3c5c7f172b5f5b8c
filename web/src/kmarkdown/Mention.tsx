import { mentionText, type Names } from '@guildhall/wire/kmarkdown/kmarkdown.ts'
import type { LeafNode } from '@guildhall/wire/kmarkdown/node.ts'
import { Link } from 'react-router'
import styles from './KMarkdown.module.css'
import { useMentionTargets } from './mentionTargets.ts'
import type { Reader } from './reader.ts'

/** A mention: a person opens their card, a text channel opens; everything else is text. */
export function Mention({ node, names, reader }: { node: LeafNode; names: Names; reader: Reader }) {
  const targets = useMentionTargets()
  const { tagName, value, name } = node as LeafNode & { readonly tagName: 'met' | 'rol' | 'chn' }
  const shown = mentionText(tagName, value, names, name)
  const look = {
    className: styles.mention,
    'data-part': 'mention',
    'data-own': isOwn(tagName, value, reader) || undefined,
  }
  const path = tagName === 'chn' ? targets?.channelPath(value) : null
  if (path)
    return (
      <Link {...look} to={path}>
        {shown}
      </Link>
    )
  const isPerson = tagName === 'met' && value !== 'all' && value !== 'here'
  const isKnown = isPerson && names.user(value, name) !== null
  if (targets && isKnown) {
    const userId = names.userId?.(value, name) ?? value
    return (
      <button type="button" {...look} onClick={() => targets.openPerson(userId)}>
        {shown}
      </button>
    )
  }
  return <span {...look}>{shown}</span>
}

function isOwn(tag: 'met' | 'rol' | 'chn', value: string, reader: Reader): boolean {
  if (tag === 'met') return value === 'all' || value === 'here' || value === reader.id
  return tag === 'rol' && (value === '0' || reader.roles.includes(Number(value)))
}
