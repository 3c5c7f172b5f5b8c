/** The tree of a KMarkdown text: plain JSON, no markup strings. protocol.md §6.3. */
export interface TextNode {
  readonly type: 'text'
  readonly content: string
}

/** Tags with child nodes. A `blockquote` is a block. */
export type SpanName = 'strong' | 'em' | 'del' | 'ins' | 'spl' | 'blockquote'
/** Tags with an id or with literal text. */
export type LeafName = 'code' | 'met' | 'rol' | 'chn'

export interface SpanNode {
  readonly type: 'tag'
  readonly tagName: SpanName
  readonly children: readonly KmNode[]
}

/** `code`: the text; `met`: a user's id, `all` or `here`; `rol`, `chn`: an id. */
export interface LeafNode {
  readonly type: 'tag'
  readonly tagName: LeafName
  readonly value: string
  /**
   * The name that the author of a plain text typed; `value` may then be the number after it. protocol.md
   * §6.2.
   */
  readonly name?: string
}

export interface LinkNode {
  readonly type: 'tag'
  readonly tagName: 'a'
  /** Always `http://` or `https://`. */
  readonly href: string
  /** Never another link. */
  readonly children: readonly KmNode[]
}

export interface EmojiNode {
  readonly type: 'tag'
  readonly tagName: 'emj'
  readonly name: string
  /** `OWNER/HASH`. protocol.md §1.7. */
  readonly id: string
}

/** A divider; a block. */
export interface DividerNode {
  readonly type: 'tag'
  readonly tagName: 'hr'
}

/** A code block; its content is literal. */
export interface CodeBlockNode {
  readonly type: 'tag'
  readonly tagName: 'codeblock'
  /** The text after the opening fence; may be empty or an unknown language. */
  readonly lang: string
  /** With its final newline, if there was one. */
  readonly value: string
}

export const fontThemes = [
  'primary',
  'success',
  'danger',
  'warning',
  'info',
  'secondary',
  'body',
  'tips',
  'pink',
  'purple',
] as const

/** Coloured text, in cards only. */
export interface FontNode {
  readonly type: 'tag'
  readonly tagName: 'font'
  /** One of `fontThemes`. */
  readonly theme: string
  /** As written in the second bracket; empty when there was none. */
  readonly size: string
  readonly children: readonly KmNode[]
}

export type KmNode =
  | TextNode
  | SpanNode
  | LeafNode
  | LinkNode
  | EmojiNode
  | DividerNode
  | CodeBlockNode
  | FontNode

/** Whether a node is a block; the line breaks around it are not in the tree. */
export const isBlock = (node: KmNode): boolean =>
  node.type === 'tag' &&
  (node.tagName === 'blockquote' || node.tagName === 'codeblock' || node.tagName === 'hr')
