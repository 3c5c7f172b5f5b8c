import type { Guild } from '@guildhall/wire/channel/channel.ts'
import { BAN_REMARK_MAX } from '@guildhall/wire/member/moderation.ts'
import { grantable } from '@guildhall/wire/permission/hierarchy.ts'
import { has, permission } from '@guildhall/wire/permission/permission.ts'
import { useState } from 'react'
import { useText } from '../../kit/i18n.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Sheet } from '../../ui/overlay/Sheet.tsx'
import acts from '../MemberActs.module.css'
import { Act, DeletedDays, muteChoices } from '../MemberActs.tsx'
import { text as memberText } from '../text.ts'
import { text } from './text.ts'
import type { BulkAct } from './useBulk.ts'

type Kind = BulkAct['kind']

/** What the reader may do to several members, by their rights. */
export function kindsFor(guild: Guild): Kind[] {
  const may = (right: number) => has(guild.permissions, right)
  const roles = may(permission.manage_role) && grantable(guild).length > 0
  const all: [Kind, boolean][] = [
    ['grant', roles],
    ['revoke', roles],
    ['mute', may(permission.mute_member)],
    ['kick', may(permission.remove_member)],
    ['ban', may(permission.ban_member)],
  ]
  return all.filter(([, isAllowed]) => isAllowed).map(([kind]) => kind)
}

interface Props {
  readonly guild: Guild
  /** How many are chosen. */
  readonly count: number
  readonly onChosen: (act: BulkAct) => void
  readonly onClose: () => void
}

/** Asks what to do to the members that are chosen: first what, then its details. */
export function BulkSheet(props: Props) {
  const { guild, count } = props
  const t = useText(text)
  const [kind, setKind] = useState<Kind | null>(null)
  const titles = {
    grant: t.whichGrant(count),
    revoke: t.whichRevoke(count),
    mute: useText(memberText).muteFor,
    kick: t.kickTitle(count),
    ban: t.banTitle(count),
  }
  return (
    <Sheet title={kind ? titles[kind] : t.actOn(count)} onClose={props.onClose}>
      {kind ? (
        <Details {...props} kind={kind} />
      ) : (
        <ul className={acts.acts} aria-label={t.actOn(count)}>
          {kindsFor(guild).map((each) => (
            <Act key={each} danger={each === 'kick' || each === 'ban'} onPress={() => setKind(each)}>
              {t[each]}
            </Act>
          ))}
        </ul>
      )}
    </Sheet>
  )
}

function Details({ guild, kind, onChosen }: Props & { readonly kind: Kind }) {
  const t = useText(text)
  const words = useText(memberText)
  if (kind === 'ban') return <BanDetails onChosen={onChosen} />
  if (kind === 'kick')
    return (
      <div className={acts.form}>
        <p className={acts.why}>{t.kickWhy}</p>
        <Button block kind="danger" onPress={() => onChosen({ kind })}>
          {t.kick}
        </Button>
      </div>
    )
  return (
    <ul className={acts.acts} aria-label={t[kind]}>
      {kind === 'mute'
        ? muteChoices(words).map(([label, seconds]) => (
            <Act key={label} onPress={() => onChosen({ kind, seconds })}>
              {label}
            </Act>
          ))
        : grantable(guild).map(({ role_id, name }) => (
            <Act key={role_id} onPress={() => onChosen({ kind, roleId: role_id })}>
              {name}
            </Act>
          ))}
    </ul>
  )
}

function BanDetails({ onChosen }: Pick<Props, 'onChosen'>) {
  const t = useText(text)
  const [remark, setRemark] = useState('')
  const [deletedDays, setDeletedDays] = useState(0)
  return (
    <div className={acts.form}>
      <p className={acts.why}>{t.banWhy}</p>
      <Field label={t.reason} name="remark" value={remark} onChange={setRemark} maxLength={BAN_REMARK_MAX} />
      <DeletedDays days={deletedDays} onChange={setDeletedDays} />
      <Button block kind="danger" onPress={() => onChosen({ kind: 'ban', remark, deletedDays })}>
        {t.ban}
      </Button>
    </div>
  )
}
