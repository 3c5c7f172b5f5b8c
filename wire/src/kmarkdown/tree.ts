/** Builds a KMarkdown tree from the events of the parser: text, nodes, and constructs that open and close. */
import type { KmNode, SpanName } from './node.ts'

/**
 * Deeper nesting than this is drawn as the characters it is made of: it bounds the work for hostile input.
 */
const DEPTH_MAX = 24

export type SpanMarker = '*' | '**' | '~~' | '(ins)' | '(spl)' | '> '
export type Marker = SpanMarker | '(font)' | '['

const SPANS: Readonly<Record<SpanMarker, SpanName>> = {
  '*': 'em',
  '**': 'strong',
  '~~': 'del',
  '(ins)': 'ins',
  '(spl)': 'spl',
  '> ': 'blockquote',
}

/** A text node to which more may be appended. */
interface GrowingText {
  readonly type: 'text'
  content: string
}

interface OpenConstruct {
  marker: Marker
  readonly children: KmNode[]
  /** How many links had been made when it opened. */
  readonly links: number
}

/**
 * The tree so far and the constructs that are still open. A construct that is never closed becomes plain text
 * (`dissolve`): its marker and its children move one level up, each at most once per level, so the work stays
 * linear.
 */
export class TreeBuilder {
  readonly root: KmNode[] = []
  /** Nodes and levels that were visited. */
  steps = 0
  readonly #stack: OpenConstruct[] = []
  /** The list of nodes that is being filled: the innermost open construct's. */
  #list = this.root
  /** The text at the end of that list, or null. */
  #tail: GrowingText | null = null
  #links = 0

  /** How many constructs are open. */
  get depth(): number {
    return this.#stack.length
  }

  get canOpen(): boolean {
    return this.#stack.length < DEPTH_MAX
  }

  /** The marker of the innermost open construct. */
  get innermost(): Marker | undefined {
    return this.#stack.at(-1)?.marker
  }

  /** Whether the innermost open construct is the one at `depth` and has no content yet. */
  isEmpty(depth: number): boolean {
    return depth === this.#stack.length - 1 && this.#list.length === 0
  }

  addText(content: string): void {
    if (content === '') return
    if (this.#tail) this.#tail.content += content
    else {
      this.#tail = { type: 'text', content }
      this.#list.push(this.#tail)
    }
  }

  addNode(node: KmNode): void {
    this.#tail = null
    this.#list.push(node)
  }

  open(marker: Marker): void {
    const children: KmNode[] = []
    this.#stack.push({ marker, children, links: this.#links })
    this.#list = children
    this.#tail = null
  }

  /** The depth at which `marker` is open, or -1. A quote hides what was opened outside of it. */
  openAt(marker: Marker): number {
    for (let depth = this.#stack.length - 1; depth >= 0; depth -= 1) {
      this.steps += 1
      const here = this.#stack[depth]!.marker
      if (here === marker) return depth
      if (here === '> ') return -1
    }
    return -1
  }

  /** Opens what `marker` begins, or closes it when it is open. Empty content is literal. */
  toggle(marker: SpanMarker): void {
    let depth = this.openAt(marker)
    if (depth === -1) {
      if (this.canOpen) this.open(marker)
      else this.addText(marker)
      return
    }
    const outer = this.#stack[depth]!
    const inner = this.#stack[depth + 1]
    // `***a** b*`: both were opened by one run, so either may be the outer one.
    const isOneRun = marker === '**' && inner?.marker === '*' && outer.children.length === 0
    if (isOneRun && depth === this.#stack.length - 2) {
      outer.marker = '*'
      inner.marker = '**'
      depth += 1
    }
    if (!this.closeSpan(depth, marker)) this.addText(marker)
  }

  /** Closes the span at `depth`. False when it has no content: then its marker has become text. */
  closeSpan(depth: number, marker: SpanMarker): boolean {
    this.#dissolveAbove(depth)
    if (this.#stack[depth]!.children.length === 0) {
      this.dissolve(depth)
      return false
    }
    this.addNode({ type: 'tag', tagName: SPANS[marker], children: this.#pop().children })
    return true
  }

  /** Ends the coloured text that opened at `depth`. */
  closeFont(depth: number, theme: string, size: string): void {
    this.#dissolveAbove(depth)
    this.addNode({ type: 'tag', tagName: 'font', theme, size, children: this.#pop().children })
  }

  /** Ends the link text that opened at `depth`. With `href` null only the text remains. */
  closeLink(depth: number, href: string | null): void {
    this.#dissolveAbove(depth)
    const { children, links } = this.#pop()
    if (href === null) {
      this.#append(this.#list, children)
      this.#resume()
      return
    }
    const text = this.#links > links ? this.#unlinked(children) : children
    this.addNode({ type: 'tag', tagName: 'a', href, children: text })
    this.#links += 1
  }

  /** Adds an address that is a link to itself. */
  addAddress(href: string): KmNode {
    const node: KmNode = { type: 'tag', tagName: 'a', href, children: [{ type: 'text', content: href }] }
    this.addNode(node)
    this.#links += 1
    return node
  }

  /** Turns an open construct into plain text. Constructs inside it stay open. */
  dissolve(depth: number): void {
    const [gone] = this.#stack.splice(depth, 1)
    const into = this.#stack[depth - 1]?.children ?? this.root
    this.#append(into, [{ type: 'text', content: gone!.marker }])
    this.#append(into, gone!.children)
    this.#resume()
  }

  /** Ends open constructs: quotes are closed, all others become text. */
  finish(): void {
    while (this.#stack.length > 0) {
      if (this.innermost === '> ') this.closeSpan(this.depth - 1, '> ')
      else this.dissolve(this.depth - 1)
    }
  }

  #dissolveAbove(depth: number): void {
    while (this.#stack.length > depth + 1) this.dissolve(this.#stack.length - 1)
  }

  /** Takes the innermost open construct off the stack. */
  #pop(): OpenConstruct {
    const top = this.#stack.pop()!
    this.#list = this.#stack.at(-1)?.children ?? this.root
    this.#tail = null
    return top
  }

  /** Continues with the innermost list; following text is appended to the text at its end. */
  #resume(): void {
    this.#list = this.#stack.at(-1)?.children ?? this.root
    const last = this.#list.at(-1)
    this.#tail = last?.type === 'text' ? (last as GrowingText) : null
  }

  /** Adds nodes to a list and joins text with text. */
  #append(into: KmNode[], nodes: readonly KmNode[]): void {
    this.steps += nodes.length + 1
    const [first, ...rest] = nodes
    const last = into.at(-1)
    if (first?.type === 'text' && last?.type === 'text') {
      into[into.length - 1] = { type: 'text', content: last.content + first.content }
      for (const node of rest) into.push(node)
    } else for (const node of nodes) into.push(node)
  }

  /** A link inside a link becomes its text. */
  #unlinked(nodes: readonly KmNode[]): KmNode[] {
    const flat: KmNode[] = []
    for (const node of nodes) {
      if (node.type === 'text' || !('children' in node)) this.#append(flat, [node])
      else if (node.tagName === 'a') this.#append(flat, node.children)
      else this.#append(flat, [{ ...node, children: this.#unlinked(node.children) }])
    }
    return flat
  }
}
