import { normalized } from '@guildhall/wire/kmarkdown/kmarkdown.ts'
import { type Draft, type DraftToken, ID, isToken, leavesOf, type TokenNode } from './draftModel.ts'

/**
 * Decodes KMarkdown into a draft, the inverse of `encodeDraft`: tokens are shown as the names that `labelOf`
 * knows.
 */
export function decodeDraft(source: string, labelOf: (node: TokenNode) => string | null): Draft {
  const content = normalized(source)
  let text = ''
  let at = 0
  const picks: DraftToken[] = []
  for (const { node, from, to } of leavesOf(content)) {
    const label = isToken(node) ? labelOf(node) : null
    if (label === null) continue
    text += content.slice(at, from)
    const token = content.slice(from, to)
    const name = ID.test(token) ? { name: label.slice(1) } : {}
    picks.push({ start: text.length, end: text.length + label.length, token, ...name })
    text += label
    at = to
  }
  return { text: text + content.slice(at), picks }
}
