import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '../kit/paths.ts'
import { TitledPage } from '../ui/page/TitledPage.tsx'
import styles from './DocumentPage.module.css'

/** A part of a document: a heading, and what it says. */
export interface Part {
  readonly title: string
  readonly words: string
}

/** A document of the site in its parts, and what stands below them. */
export function DocumentPage(props: { title: string; parts: readonly Part[]; children: ReactNode }) {
  const navigate = useNavigate()
  return (
    <TitledPage title={props.title} onBack={() => void navigate(paths.home())}>
      <main className={styles.document}>
        {props.parts.map((part) => (
          <section key={part.title}>
            <h2>{part.title}</h2>
            <p>{part.words}</p>
          </section>
        ))}
        {props.children}
      </main>
    </TitledPage>
  )
}
