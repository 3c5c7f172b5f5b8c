import { DANGEROUS } from '@guildhall/wire/permission/dangerous.ts'
import { mayChangeBits } from '@guildhall/wire/permission/hierarchy.ts'
import { EVERYONE, has, type PermissionName, permission } from '@guildhall/wire/permission/permission.ts'
import { useId, useState } from 'react'
import { useText } from '../../kit/i18n.ts'
import { RIGHT_GROUPS, rightsText } from '../../role/role.ts'
import { Button } from '../../ui/Button.tsx'
import { ChevronIcon } from '../../ui/icon/icon.tsx'
import { EmojiText } from '../../ui/picture/EmojiText.tsx'
import { AddTargetSheet } from './AddTargetSheet.tsx'
import styles from './Overwrites.module.css'
import {
  changeTo,
  keyOf,
  mayRemove,
  resultOf,
  rightsIn,
  ruleOf,
  type State,
  stateOf,
  type Target,
  targetsOf,
} from './rules.ts'
import { mayChange, nameOf } from './targets.ts'
import { text } from './text.ts'
import type { OverwriteProps } from './useOverwrites.ts'

const STATES: readonly State[] = ['deny', 'inherit', 'allow']
const GROUPS = Object.keys(RIGHT_GROUPS) as (keyof typeof RIGHT_GROUPS)[]
const countOf = (mask: number) => mask.toString(2).replaceAll('0', '').length

/** All overwrites of a channel, one of them open, with what results of each right. */
export function OverwriteTable(props: OverwriteProps) {
  const { guild, rules, onChange } = props
  const t = useText(text)
  const [open, setOpen] = useState<string | null>(null)
  const [isAdding, setAdding] = useState(false)
  const targets = targetsOf(rules)
  const add = (target: Target) => {
    onChange({ target, bits: 0, allow: 0, deny: 0 })
    setOpen(keyOf(target))
    setAdding(false)
  }
  return (
    <section className={styles.group} aria-label={t.table}>
      <h3 className={styles.groupName}>{t.table}</h3>
      <p className={styles.note}>{t.tableWhy}</p>
      {targets.map((target) => (
        <Overwrite
          key={keyOf(target)}
          {...props}
          target={target}
          isOpen={open === keyOf(target)}
          onOpen={() => setOpen((now) => (now === keyOf(target) ? null : keyOf(target)))}
        />
      ))}
      <Button block kind="soft" onPress={() => setAdding(true)}>
        {t.choose}
      </Button>
      {isAdding && (
        <AddTargetSheet
          guild={guild}
          title={t.choose}
          taken={targets}
          onAdd={add}
          onClose={() => setAdding(false)}
        />
      )}
    </section>
  )
}

type RowProps = OverwriteProps & { target: Target }

function Overwrite(props: RowProps & { isOpen: boolean; onOpen: () => void }) {
  const { guild, channel, rules, target, isOpen, onChange } = props
  const t = useText(text)
  const id = useId()
  const { allow, deny } = ruleOf(rules, target) ?? { allow: 0, deny: 0 }
  const isBelow = mayChange(guild, target)
  const isEverybody = 'role' in target && target.role === EVERYONE
  return (
    <div className={styles.card}>
      <button
        type="button"
        className={styles.target}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={props.onOpen}
      >
        <span className={styles.targetText}>
          <EmojiText>{nameOf(guild, target)}</EmojiText>
          <span className={styles.fact}>
            {t.counts(countOf(allow), countOf(deny))}
            {!isBelow && ` · ${t.above}`}
          </span>
        </span>
        <ChevronIcon size={20} />
      </button>
      {isOpen && (
        <div id={id}>
          <Rights {...props} isLocked={!isBelow} />
          {isBelow && !isEverybody && mayRemove(channel.permissions, { allow, deny }) && (
            <div className={styles.remove}>
              <Button block kind="quiet" onPress={() => onChange({ target, bits: null })}>
                {t.remove}
              </Button>
            </div>
          )}
        </div>
      )}
    </div>
  )
}

function Rights(props: RowProps & { isLocked: boolean }) {
  const t = useText(rightsText)
  const shown = rightsIn(props.channel.type)
  const result = resultOf(props.guild, props.rules, props.target)
  return GROUPS.map((group) => {
    const names = RIGHT_GROUPS[group].filter((name) => shown.has(name))
    if (names.length === 0) return null
    return (
      <section key={group} className={styles.rights} aria-label={t[group]}>
        <h4 className={styles.groupName}>{t[group]}</h4>
        {names.map((name) => (
          <Right key={name} {...props} name={name} mayDo={has(result, permission[name])} />
        ))}
      </section>
    )
  })
}

/** One right as a choice of three. One that the reader lacks is locked with the reason. */
function Right(props: RowProps & { name: PermissionName; isLocked: boolean; mayDo: boolean }) {
  const { channel, rules, target, name, mayDo, onChange } = props
  const t = useText(text)
  const texts = useText(rightsText)
  const [title = '', why = ''] = texts[name]
  const id = useId()
  const right = permission[name]
  const lacks = !mayChangeBits(channel.permissions, 0, right)
  const now = stateOf(ruleOf(rules, target) ?? { allow: 0, deny: 0 }, right)
  return (
    <fieldset className={styles.right} aria-describedby={`${id}-why`} disabled={props.isLocked || lacks}>
      <legend className={styles.legend}>
        {title}
        {DANGEROUS.has(name) && <span className={styles.danger}>{texts.danger}</span>}
      </legend>
      <p className={styles.fact} id={`${id}-why`}>
        {why}
        {lacks && !props.isLocked && <span className={styles.locked}>{texts.lacking}</span>}
      </p>
      <div className={styles.choice}>
        {STATES.map((state) => (
          <label key={state} className={styles.state} data-state={state}>
            <input
              type="radio"
              name={id}
              checked={state === now}
              onChange={() => onChange(changeTo(target, right, state))}
            />
            {t[state]}
          </label>
        ))}
        <span className={styles.result} data-may={mayDo || undefined}>
          {mayDo ? t.yes : t.no}
        </span>
      </div>
    </fieldset>
  )
}
