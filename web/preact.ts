import path from 'node:path'

/**
 * React's modules, as the page has them: Preact, which has the same interface in a tenth of the bytes.
 * Decision 132.
 */
export const preact = [
  { find: /^react$/, replacement: path.join(import.meta.dirname, 'src/kit/react.ts') },
  { find: /^react\/jsx-(?:dev-)?runtime$/, replacement: 'preact/jsx-runtime' },
  { find: /^react-dom$/, replacement: 'preact/compat' },
  { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
  { find: /^react-dom\/server$/, replacement: 'preact-render-to-string' },
]
