/** As much of a document as is read here: rules of colours are tested without one. */
interface Head {
  querySelector(selector: string): unknown
}
interface ThemeMeta {
  content: string
  readonly dataset: Readonly<Partial<Record<string, string>>>
}

/**
 * The element that gives the browser's own bar its colour. It has the colours of each theme that scripts
 * need, and that the operator may have chosen: the page's ground, the bar along its top, and where the
 * operator has colours, the ground on which names have the least contrast.
 */
export const themeMeta = () =>
  (globalThis as { document?: Head }).document?.querySelector('meta[name="theme-color"]') as
    | ThemeMeta
    | null
    | undefined
