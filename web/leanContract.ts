import { type Plugin, parseAst } from 'vite'

/** What stands in the built page in place of these fields of a call. */
const LEFT_OUT: Readonly<Record<string, string>> = { fails: '[]', input: 'null' }

/**
 * Leaves out of the built page what a call of the contract takes and which failures it can answer with: the
 * server parses the one, documentation and tests read the other, the page does neither. They are some
 * kilobytes on the way to the first screen.
 */
export function leanContract(): Plugin {
  return {
    name: 'lean-contract',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      return /[\\/]wire[\\/]src[\\/]/.test(id) && code.includes('route(')
        ? { code: leanSource(code), map: null }
        : null
    },
  }
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly callee?: { readonly name?: string }
  readonly arguments?: readonly { readonly properties?: readonly Field[] }[]
}
interface Field {
  readonly key?: { readonly name?: string }
  readonly value?: Node
  readonly shorthand?: boolean
}

/** The source without these fields in the calls that it declares by `route({…})`. */
export function leanSource(code: string): string {
  let rest = code
  // From the end on, so that places before stay where they are.
  for (const { value, text } of fieldsOf(code).toSorted((a, b) => b.value.start - a.value.start))
    rest = rest.slice(0, value.start) + text + rest.slice(value.end)
  return rest
}

function fieldsOf(code: string): { readonly value: Node; readonly text: string }[] {
  const found: { readonly value: Node; readonly text: string }[] = []
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit)
    if (node === null || typeof node !== 'object') return
    const { type, callee, arguments: given } = node as Node
    if (type === 'CallExpression' && callee?.name === 'route')
      for (const { key, value, shorthand } of given?.[0]?.properties ?? []) {
        const text = LEFT_OUT[key?.name ?? '']
        if (text !== undefined && value && !shorthand) found.push({ value, text })
      }
    for (const child of Object.values(node)) visit(child)
  }
  visit(parseAst(code, { lang: 'ts' }))
  return found
}
