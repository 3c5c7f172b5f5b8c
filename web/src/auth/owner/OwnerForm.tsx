import type { ComponentProps } from 'react'
import { Form } from '../../ui/form/Form.tsx'
import pageStyles from '../FormPage.module.css'
import styles from './OwnerForm.module.css'

/** A form about one's own number or password, below what it is for. */
export function OwnerForm<Name extends string>(
  props: { step?: string; title: string; why: string } & Omit<ComponentProps<typeof Form<Name>>, 'className'>,
) {
  const { step, title, why, ...form } = props
  return (
    <main className={pageStyles.page}>
      {step && <p className={styles.step}>{step}</p>}
      <h2 className={styles.title}>{title}</h2>
      <p className={styles.why}>{why}</p>
      <Form className={styles.form} {...form} />
    </main>
  )
}
