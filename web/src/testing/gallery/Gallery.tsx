import { setTheme } from '../../kit/browser/theme.ts'
import { useTheme } from '../../kit/browser/useTheme.ts'
import { nextLocale, setLocale, useLocale } from '../../kit/i18n.ts'
import { captchas } from './captchas.tsx'
import { cards } from './cards.tsx'
import { embeds } from './embeds.tsx'
import { emoji } from './emoji.tsx'
import { ephemeral } from './ephemeral.tsx'
import styles from './Gallery.module.css'
import { kinds } from './kinds.tsx'
import { kmarkdown } from './kmarkdown.tsx'
import { mentions } from './mention.tsx'
import { navigation } from './navigation.tsx'
import { people } from './people.tsx'
import { pins } from './pins.tsx'
import { screens } from './screens/screens.ts'
import type { Section } from './section.ts'

/** A new component adds its states here. */
const sections: readonly Section[] = [
  kmarkdown,
  kinds,
  cards,
  emoji,
  mentions,
  embeds,
  pins,
  people,
  navigation,
  ephemeral,
  captchas,
]

/**
 * Every kind and state of a message on one page, and the way to screens, which are pages of their own. In
 * development only: `npm run dev`, `/dev/gallery`.
 */
export default function Gallery() {
  const theme = useTheme()
  const locale = useLocale()
  return (
    <main className={styles.gallery}>
      <header className={styles.head}>
        <h1>Gallery</h1>
        <button type="button" onClick={() => setTheme(theme === 'dark' ? 'light' : 'dark')}>
          {theme === 'dark' ? 'Light' : 'Dark'}
        </button>
        <button type="button" onClick={() => setLocale(nextLocale(locale))}>
          {locale === 'en' ? 'Chinese' : 'English'}
        </button>
      </header>
      <nav aria-label="Screens">
        <ul className={styles.screens}>
          {screens.map(({ name }) => (
            <li key={name}>
              <a href={`/dev/gallery/${name}`}>{name}</a>
            </li>
          ))}
        </ul>
      </nav>
      {sections.map(({ id, title, states }) => (
        <section key={id} id={id} aria-label={title}>
          <h2>{title}</h2>
          {states.map(({ name, draw }) => (
            <div key={name} className={styles.state} data-state={name}>
              <h3>{name}</h3>
              {draw()}
            </div>
          ))}
        </section>
      ))}
    </main>
  )
}
