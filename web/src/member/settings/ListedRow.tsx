import type { Guild } from '@guildhall/wire/channel/channel.ts'
import { useState } from 'react'
import { timeLabel } from '../../kit/format/time.ts'
import { useLocale, useText } from '../../kit/i18n.ts'
import { Button } from '../../ui/Button.tsx'
import { Sheet } from '../../ui/overlay/Sheet.tsx'
import { Avatar } from '../../ui/picture/Avatar.tsx'
import { BuffMark } from '../../ui/picture/BuffMark.tsx'
import { actsOn, MemberActs, mayKnow } from '../MemberActs.tsx'
import type { Target } from '../target.ts'
import styles from './Members.module.css'
import { text } from './text.ts'
import type { ListedMember } from './useBulk.ts'

const targetOf = ({ id, username, nickname, roles, is_master }: ListedMember): Target => ({
  id,
  name: nickname || username,
  nickname: nickname === username ? '' : nickname,
  roles,
  isMaster: is_master,
})

/** Whether a member may be chosen: something may be done to them together with others. */
export function mayChoose(guild: Guild, meId: string, member: ListedMember): boolean {
  const { roles, mute, kick, ban } = actsOn(guild, meId, targetOf(member))
  return roles || mute || kick || ban
}

/** A member: chosen by the box before their name, acted on alone by the button behind it. */
export function ListedRow(props: {
  guild: Guild
  meId: string
  member: ListedMember
  isChosen: boolean
  /** No more may be chosen. */
  isFull: boolean
  onChosen: (isOn: boolean) => void
}) {
  const { guild, meId, member, isChosen } = props
  const t = useText(text)
  const [isOpen, setOpen] = useState(false)
  const target = targetOf(member)
  const may = actsOn(guild, meId, target)
  const isChoosable = mayChoose(guild, meId, member)
  return (
    <li className={styles.row}>
      <label className={styles.choice}>
        <input
          type="checkbox"
          className={styles.box}
          checked={isChosen}
          disabled={!isChoosable || (props.isFull && !isChosen)}
          aria-label={t.select(target.name)}
          onChange={({ currentTarget }) => props.onChosen(currentTarget.checked)}
        />
        <Avatar of={member} size={40} />
        <span className={styles.text}>
          <span className="named">
            <span className={styles.name}>{target.name}</span>
            {member.is_vip && <BuffMark />}
          </span>
          {useFacts(props).map((fact) => (
            <span key={fact} className={styles.fact}>
              {fact}
            </span>
          ))}
        </span>
      </label>
      {(isChoosable || may.rename || mayKnow(guild, meId, member.id)) && (
        <Button kind="plain" aria-label={t.manageOf(target.name)} onPress={() => setOpen(true)}>
          {t.manage}
        </Button>
      )}
      {isOpen && (
        <Sheet title={target.name} onClose={() => setOpen(false)}>
          <MemberActs guild={guild} meId={meId} target={target} onGone={() => setOpen(false)} />
        </Sheet>
      )}
    </li>
  )
}

/** What there is to know of a member, in lines. */
function useFacts(props: { guild: Guild; meId: string; member: ListedMember }): string[] {
  const { guild, meId, member } = props
  const t = useText(text)
  const locale = useLocale()
  const when = (ms: number) => timeLabel(ms, Date.now(), locale)
  const held = guild.roles.filter(({ role_id }) => member.roles.includes(role_id)).map(({ name }) => name)
  const lines = [
    [member.nickname !== member.username && member.username, held.join('、')],
    [t.joinedAt(when(member.joined_at))],
    [member.online ? t.online : t.seenAt(when(member.active_time))],
    [member.id === meId ? t.self : !mayChoose(guild, meId, member) && t.outranked],
  ]
  return lines.map((words) => words.filter(Boolean).join(' · ')).filter(Boolean)
}
