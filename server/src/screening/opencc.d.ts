/** The package has no types of its own for its tables: `traditional simplified|…`. */
declare module 'opencc-js/dict/TSCharacters' {
  const pairs: string
  export default pairs
}
declare module 'opencc-js/dict/STPhrases' {
  const pairs: string
  export default pairs
}
