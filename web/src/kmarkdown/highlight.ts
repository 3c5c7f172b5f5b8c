/** Syntax highlighting. Each language is loaded on its first use. */
import type { LanguageFn } from 'highlight.js'
import { createLowlight } from 'lowlight'

type Loader = () => Promise<{ default: LanguageFn }>

const LANGUAGES: Readonly<Record<string, Loader>> = {
  bash: () => import('highlight.js/lib/languages/bash'),
  c: () => import('highlight.js/lib/languages/c'),
  cpp: () => import('highlight.js/lib/languages/cpp'),
  csharp: () => import('highlight.js/lib/languages/csharp'),
  css: () => import('highlight.js/lib/languages/css'),
  dart: () => import('highlight.js/lib/languages/dart'),
  diff: () => import('highlight.js/lib/languages/diff'),
  dockerfile: () => import('highlight.js/lib/languages/dockerfile'),
  go: () => import('highlight.js/lib/languages/go'),
  ini: () => import('highlight.js/lib/languages/ini'),
  java: () => import('highlight.js/lib/languages/java'),
  javascript: () => import('highlight.js/lib/languages/javascript'),
  json: () => import('highlight.js/lib/languages/json'),
  kotlin: () => import('highlight.js/lib/languages/kotlin'),
  lua: () => import('highlight.js/lib/languages/lua'),
  markdown: () => import('highlight.js/lib/languages/markdown'),
  php: () => import('highlight.js/lib/languages/php'),
  powershell: () => import('highlight.js/lib/languages/powershell'),
  python: () => import('highlight.js/lib/languages/python'),
  ruby: () => import('highlight.js/lib/languages/ruby'),
  rust: () => import('highlight.js/lib/languages/rust'),
  sql: () => import('highlight.js/lib/languages/sql'),
  swift: () => import('highlight.js/lib/languages/swift'),
  typescript: () => import('highlight.js/lib/languages/typescript'),
  xml: () => import('highlight.js/lib/languages/xml'),
  yaml: () => import('highlight.js/lib/languages/yaml'),
}

const ALIASES: Readonly<Record<string, string>> = {
  sh: 'bash',
  shell: 'bash',
  zsh: 'bash',
  'c++': 'cpp',
  h: 'c',
  hpp: 'cpp',
  cs: 'csharp',
  'c#': 'csharp',
  patch: 'diff',
  docker: 'dockerfile',
  golang: 'go',
  toml: 'ini',
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  kt: 'kotlin',
  md: 'markdown',
  ps1: 'powershell',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  ts: 'typescript',
  tsx: 'typescript',
  html: 'xml',
  svg: 'xml',
  vue: 'xml',
  yml: 'yaml',
}

/** A range of code and its token class; `null`: none. */
export interface HighlightSpan {
  readonly words: string
  readonly kind: string | null
}

interface Branch {
  readonly type: string
  readonly value?: string
  readonly properties?: { readonly className?: unknown }
  readonly children?: readonly Branch[]
}

const lowlight = createLowlight()

/** Loads a grammar by its name or alias; null: unknown. */
export async function grammarOf(lang: string): Promise<string | null> {
  const asked = lang.toLowerCase()
  const name = Object.hasOwn(ALIASES, asked) ? ALIASES[asked]! : asked
  if (!Object.hasOwn(LANGUAGES, name)) return null
  if (!lowlight.registered(name)) lowlight.register(name, (await LANGUAGES[name]!()).default)
  return name
}

/** The code as spans, which joined are the code itself. `grammar` is an answer of `grammarOf`. */
export function highlightSpans(code: string, grammar: string): HighlightSpan[] {
  const spans: HighlightSpan[] = []
  const walk = (branch: Branch, kind: string | null): void => {
    if (branch.type === 'text') {
      spans.push({ words: branch.value ?? '', kind })
      return
    }
    const names = branch.properties?.className
    const own = Array.isArray(names) ? String(names[0]).replace(/^hljs-/, '') : kind
    for (const child of branch.children ?? []) walk(child, own)
  }
  walk(lowlight.highlight(grammar, code), null)
  return spans
}
