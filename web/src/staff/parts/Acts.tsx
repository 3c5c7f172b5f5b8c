import { type ComponentProps, type ReactNode, useState } from 'react'
import { Button } from '../../ui/Button.tsx'

/** How the dialog of an act ends. */
export interface End {
  readonly onDone: () => void
  readonly onClose: () => void
}

/** An act that is offered: its button, and the dialog that asks before it. */
export interface Act {
  readonly label: string
  readonly kind?: ComponentProps<typeof Button>['kind']
  readonly dialog: (end: End) => ReactNode
}

/** The buttons of acts, and the dialog of the chosen one. What is not offered is false. */
export function Acts({ of, onDone }: { of: readonly (Act | false)[]; onDone: () => void }) {
  const [chosen, setChosen] = useState<string | null>(null)
  const acts = of.filter((act) => act !== false)
  const close = () => setChosen(null)
  const done = () => {
    close()
    onDone()
  }
  return (
    <>
      {acts.map(({ label, kind = 'soft' }) => (
        <Button key={label} kind={kind} onPress={() => setChosen(label)}>
          {label}
        </Button>
      ))}
      {acts.find(({ label }) => label === chosen)?.dialog({ onDone: done, onClose: close })}
    </>
  )
}
