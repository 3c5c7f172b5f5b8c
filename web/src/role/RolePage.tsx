import type { Guild } from '@guildhall/wire/channel/channel.ts'
import type { Role } from '@guildhall/wire/guild/guild.ts'
import { EVERYONE } from '@guildhall/wire/permission/permission.ts'
import { type deleteRole, ROLE_NAME_MAX, updateRole } from '@guildhall/wire/role/role.ts'
import { guildChanged } from '../guild/guild.ts'
import { useText } from '../kit/i18n.ts'
import { type Calling, useCall } from '../kit/useCall.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/form/Field.tsx'
import { type FormState, useForm } from '../ui/form/useForm.ts'
import { toast } from '../ui/overlay/Toast.tsx'
import { EmojiText } from '../ui/picture/EmojiText.tsx'
import { changeOf, colorsIn, type Draft, differing, draftOf, withDraft, withRight } from './draft.ts'
import { isAbove } from './locks.ts'
import { RoleActs } from './RoleActs.tsx'
import { RoleColors } from './RoleColors.tsx'
import { RoleDot } from './RoleList.tsx'
import { RoleRights } from './RoleRights.tsx'
import styles from './Roles.module.css'
import { Toggle } from './Toggle.tsx'
import { text } from './text.ts'
import { keepRoles } from './useRoleOrder.ts'

interface RoleProps {
  readonly guild: Guild
  readonly role: Role
  /** How many members have it; null: not known yet. */
  readonly members: number | null
  readonly draft: Draft | undefined
  readonly onDraft: (draft: Draft | undefined) => void
  readonly removal: Calling<typeof deleteRole>
}

/**
 * One role: how it looks, its rights and its members. Changes wait for "save", and name what others changed
 * meanwhile; what may not be changed is shown with the reason.
 */
export function RolePage(props: RoleProps) {
  const { guild, role, draft } = props
  const t = useText(text)
  const form = useForm(['name'])
  const shown = withDraft(role, draft)
  const isLocked = isAbove(guild, role)
  const isEveryone = role.role_id === EVERYONE
  const change = (more: (draft: Draft) => Draft) => {
    const next = more(draft ?? draftOf(role))
    props.onDraft(differing(role, withDraft(role, next)).length > 0 ? next : undefined)
  }
  return (
    <form noValidate ref={form.ref} onSubmit={(event) => event.preventDefault()}>
      <h2 className={styles.title}>
        <RoleDot role={shown} />
        <EmojiText>{shown.name}</EmojiText>
      </h2>
      {(isLocked || isEveryone) && <p className={styles.notice}>{isLocked ? t.aboveWhy : t.everyoneWhy}</p>}
      <RoleActs guild={guild} role={role} shown={shown} members={props.members} removal={props.removal}>
        {!isEveryone && (
          <Look
            guild={guild}
            shown={shown}
            isLocked={isLocked}
            error={form.errors.name}
            onChange={(more) => change((it) => ({ ...it, ...more }))}
          />
        )}
        <RoleRights
          guild={guild}
          permissions={shown.permissions}
          isLocked={isLocked}
          onSwitch={(right, isOn) => change((it) => withRight(it, right, isOn))}
        />
      </RoleActs>
      {draft && <SaveBar {...props} draft={draft} form={form} />}
    </form>
  )
}

function Look(props: {
  guild: Guild
  shown: Role
  isLocked: boolean
  error: string | undefined
  onChange: (more: Partial<Draft>) => void
}) {
  const { shown, isLocked, onChange } = props
  const t = useText(text)
  return (
    <section className={styles.group} aria-label={t.look}>
      <h3 className={styles.groupName}>{t.look}</h3>
      <div className={styles.look}>
        {!isLocked && (
          <Field
            label={t.name}
            name="name"
            autoComplete="off"
            // The browser counts an emoji as two characters.
            maxLength={2 * ROLE_NAME_MAX}
            value={shown.name}
            error={props.error}
            onChange={(name) => onChange({ name })}
          />
        )}
        <RoleColors
          guild={props.guild}
          name={shown.name}
          colors={colorsIn(shown)}
          isLocked={isLocked}
          onChange={(colors) => onChange({ colors })}
        />
      </div>
      <div className={styles.card}>
        <Toggle
          name={t.hoist}
          why={t.hoistWhy}
          isOn={shown.hoist === 1}
          isLocked={isLocked}
          onChange={(isOn) => onChange({ hoist: Number(isOn) })}
        />
        <Toggle
          name={t.mention}
          why={t.mentionWhy}
          isOn={shown.mentionable === 1}
          isLocked={isLocked}
          onChange={(isOn) => onChange({ mentionable: Number(isOn) })}
        />
      </div>
    </section>
  )
}

/** Stays at the end of the window while there is something to save. */
function SaveBar(props: RoleProps & { draft: Draft; form: FormState<'name'> }) {
  const { guild, role, draft, form } = props
  const t = useText(text)
  const saving = useCall(updateRole)
  const theirs = differing(draft.since, role)
  const save = async () => {
    const change = changeOf(role, withDraft(role, draft))
    const input = { guild_id: guild.id, role_id: role.role_id, ...change }
    const saved = await saving.run(input, form.refused)
    if (!saved) return
    keepRoles(guild.id, (roles) => roles.map((it) => (it.role_id === saved.role_id ? saved : it)))
    guildChanged(guild.id)
    form.show({})
    props.onDraft(undefined)
    toast(t.saved)
  }
  const discard = () => {
    form.show({})
    props.onDraft(undefined)
  }
  return (
    <section className={styles.bar} aria-label={t.dirty}>
      <p className={styles.barText} role="status">
        {theirs.length > 0 ? t.changedMeanwhile(theirs.map((field) => t[field]).join(t.and)) : t.dirty}
      </p>
      {form.problem && (
        <p className={styles.problem} role="alert">
          {form.problem}
        </p>
      )}
      <div className={styles.barActs}>
        <Button kind="quiet" onPress={discard}>
          {t.discard}
        </Button>
        <Button type="submit" busy={saving.status === 'busy'} onPress={() => void save()}>
          {t.save}
        </Button>
      </div>
    </section>
  )
}
