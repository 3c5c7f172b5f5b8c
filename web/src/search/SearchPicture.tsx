import styles from './SearchScreen.module.css'

/** A glass over two messages, for a search that shows nothing. */
export const SearchPicture = ({ isEmpty = false }: { isEmpty?: boolean }) => (
  <svg className={styles.picture} viewBox="0 0 160 112" aria-hidden="true">
    <g className={styles.pictureSoft}>
      <circle cx="26" cy="28" r="10" />
      <rect x="44" y="18" width="92" height="20" rx="10" />
      <circle cx="26" cy="66" r="10" />
      <rect x="44" y="56" width="64" height="20" rx="10" />
    </g>
    <g className={styles.pictureLine}>
      <circle cx="104" cy="64" r="24" />
      <path d="m122 82 20 20" />
      {isEmpty ? <path d="m96 56 16 16m0-16-16 16" /> : <path d="M94 60h20m-20 9h12" />}
    </g>
  </svg>
)
