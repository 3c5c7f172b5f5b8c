/** Whether the operator's logo is a plain SVG: shapes and words, nothing that runs or loads. */
import { Parser } from 'htmlparser2'

/** Bytes. It comes with every page that is opened for the first time. */
export const LOGO_MAX_BYTES = 64 * 1024

const ELEMENTS: ReadonlySet<string> = new Set(
  `svg g defs symbol use title desc path rect circle ellipse line polyline polygon text tspan
  linearGradient radialGradient stop clipPath mask pattern`.split(/\s+/),
)

/** References that stay within the picture. */
const isOwn = (value: string): boolean => /^\s*#/.test(value)

/** What is wrong with an attribute; null: nothing. */
function attributeProblem(name: string, value: string): string | null {
  if (/^on/i.test(name)) return `the attribute ${name}, which runs a script`
  if (/(?:^|:)(?:href|src)$/i.test(name) && !isOwn(value)) return `a reference to ${value.slice(0, 60)}`
  // An escape of CSS may spell `url`.
  if (/@import|\\/.test(value)) return `"${value.slice(0, 60)}" in ${name}`
  const urls = [...value.matchAll(/url\(\s*['"]?([^)]*)/gi)]
  const outer = urls.find(([, url = '']) => !isOwn(url))
  return outer ? `a reference to ${outer[1]?.slice(0, 60)}` : null
}

/** What is in the text that a plain SVG has not, as the end of a sentence; null: it is one. */
export function svgProblem(text: string): string | null {
  let problem: string | null = null
  let root: string | null = null
  const refuse = (what: string) => {
    problem ??= `has ${what}`
  }
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        root ??= name
        if (!ELEMENTS.has(name)) return refuse(`the element ${name}`)
        for (const [key, value] of Object.entries(attributes)) {
          const found = attributeProblem(key, value)
          if (found) refuse(found)
        }
      },
      onprocessinginstruction(name) {
        if (name !== '?xml') refuse(name.startsWith('!') ? 'a document type' : `the instruction ${name}`)
      },
      oncdatastart: () => refuse('CDATA'),
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.end(text)
  if (problem !== null) return problem
  if (root !== 'svg') return 'is no SVG'
  if (!/<svg[^>]*\sviewBox=/.test(text)) return 'has no viewBox'
  if (!text.includes('http://www.w3.org/2000/svg')) return 'does not name the namespace of SVG'
  return null
}
