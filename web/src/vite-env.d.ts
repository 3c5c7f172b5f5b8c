/// <reference types="vite/client" />

/** Made by `web/catalogue.ts`. */
declare module 'virtual:emoji-catalogue' {
  const rows: readonly (readonly [
    characters: string,
    group: number,
    version: number,
    hasTones: 0 | 1,
    /** In the order of `locales`. */
    labels: readonly string[],
    words: string,
  ])[]
  export default rows
}

declare module 'punycode/punycode.es6.js' {
  /** A host name with its `xn--` labels as people read them. @throws RangeError */
  export function toUnicode(host: string): string
}
