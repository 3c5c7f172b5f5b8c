import { useText } from '../kit/i18n.ts'
import { Chip, ChipGroup, ChipLine } from '../ui/Chips.tsx'
import { type Asked, SORTS, scopesOf } from './address.ts'
import styles from './SearchScreen.module.css'
import { operatorText, scopeText, sortText, text } from './text.ts'

/** Where is searched, in which order, and what narrows it. */
export function Narrowing(props: {
  asked: Asked
  onChange: (more: Partial<Asked>) => void
  onOperator: (label: string) => void
}) {
  const { asked, onChange } = props
  const t = useText(text)
  const tScope = useText(scopeText)
  const tSort = useText(sortText)
  const operators = Object.values(useText(operatorText))
  const isMessages = asked.kind === 'messages'
  const scopes = scopesOf(asked)
  const hasScopes = scopes.length > 1
  if (!isMessages && !hasScopes) return null
  return (
    <div className={styles.narrowing}>
      <ChipLine>
        {hasScopes && (
          <ChipGroup label={t.scopes}>
            {scopes.map((it) => (
              <Chip key={it} isOn={it === asked.scope} onPress={() => onChange({ scope: it })}>
                {tScope[it]}
              </Chip>
            ))}
          </ChipGroup>
        )}
        {isMessages && (
          <>
            <ChipGroup label={t.sorts}>
              {SORTS.map((it) => (
                <Chip key={it} isOn={it === asked.sort} onPress={() => onChange({ sort: it })}>
                  {tSort[it]}
                </Chip>
              ))}
            </ChipGroup>
            <ChipGroup label={t.filters}>
              {operators.map((label) => (
                <Chip key={label} onPress={() => props.onOperator(label)}>
                  {label}:
                </Chip>
              ))}
            </ChipGroup>
          </>
        )}
      </ChipLine>
    </div>
  )
}
