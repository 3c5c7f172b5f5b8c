/** Fields of the forms about numbers and passwords. */

import { useText } from '../kit/i18n.ts'
import fieldStyles from '../ui/form/Field.module.css'
import { Field } from '../ui/form/Field.tsx'
import { text } from './text.ts'

/** A password. `onShown`: its button makes it readable, and hides it again. */
export function PasswordField(props: {
  label: string
  name: string
  kind: 'current-password' | 'new-password'
  value: string
  onChange: (value: string) => void
  error: string | undefined
  placeholder?: string
  shown: boolean
  onShown?: (shown: boolean) => void
}) {
  const t = useText(text)
  const { shown, onShown } = props
  return (
    <Field
      label={props.label}
      name={props.name}
      type={shown ? 'text' : 'password'}
      autoComplete={props.kind}
      maxLength={128}
      value={props.value}
      onChange={props.onChange}
      error={props.error}
      {...(props.placeholder && { placeholder: props.placeholder })}
      after={
        onShown && (
          <button
            type="button"
            className={fieldStyles.side}
            aria-pressed={shown}
            onClick={() => onShown(!shown)}
          >
            {shown ? t.hide : t.show}
          </button>
        )
      }
    />
  )
}
