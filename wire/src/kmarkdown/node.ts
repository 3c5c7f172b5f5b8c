/** The tree of a KMarkdown text: plain JSON, no markup strings. protocol.md §6.3. */
export interface TextNode {
  readonly type: 'text'
  readonly content: string
}

/** Tags that hold other nodes. */
export type SpanName = 'strong' | 'em' | 'del' | 'ins' | 'spl'
/** Tags that hold an id or words taken as they are. */
export type LeafName = 'code' | 'met' | 'rol' | 'chn'

export interface SpanNode {
  readonly type: 'tag'
  readonly tagName: SpanName
  readonly children: readonly KmNode[]
}

/** `code`: the words; `met`: a user's id, `all` or `here`; `rol`, `chn`: an id. */
export interface LeafNode {
  readonly type: 'tag'
  readonly tagName: LeafName
  readonly value: string
}

export interface LinkNode {
  readonly type: 'tag'
  readonly tagName: 'a'
  /** Always `http://` or `https://`. */
  readonly href: string
  readonly children: readonly KmNode[]
}

export interface EmojiNode {
  readonly type: 'tag'
  readonly tagName: 'emj'
  readonly name: string
  /** `OWNER/HASH`. protocol.md §1.7. */
  readonly id: string
}

export type KmNode = TextNode | SpanNode | LeafNode | LinkNode | EmojiNode
