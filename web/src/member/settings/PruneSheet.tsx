import type { Guild } from '@guildhall/wire/channel/channel.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import {
  type PruneState,
  previewPrune,
  pruneMembers,
  SILENT_DAYS_MAX,
  viewPrune,
} from '@guildhall/wire/member/prune.ts'
import { userList } from '@guildhall/wire/member/userList.ts'
import { outranksRole } from '@guildhall/wire/permission/hierarchy.ts'
import { EVERYONE } from '@guildhall/wire/permission/permission.ts'
import { foldDigits } from '@guildhall/wire/typed.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { useEffect, useRef, useState } from 'react'
import { useText } from '../../kit/i18n.ts'
import { cache, invalidateRoute, queryKeyOf, useRouteQuery } from '../../kit/routeQuery.ts'
import { useCall } from '../../kit/useCall.ts'
import { useDebounced } from '../../kit/useDebounced.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { Sheet } from '../../ui/overlay/Sheet.tsx'
import { toast } from '../../ui/overlay/Toast.tsx'
import { Avatar } from '../../ui/picture/Avatar.tsx'
import { Loaded } from '../../ui/state/Loaded.tsx'
import acts from '../MemberActs.module.css'
import { refreshMembers } from '../refreshMembers.ts'
import styles from './Members.module.css'
import { pruneText } from './pruneText.ts'

const DAYS = [7, 30, 90]
/** Stands for days that are typed. */
const TYPED = 0
const USUAL_DAYS = 30
/** After the last key of a number of days, ms. */
const ASK_AFTER_MS = 400
/** Between two looks at how far it is, ms. */
const LOOK_MS = 2 * SECOND_MS

/**
 * Silent members are removed together: for how long they were silent, and with which roles, who it would be,
 * and how far it is. It goes on without the page.
 */
export function PruneSheet({ guild, onClose }: { guild: Guild; onClose: () => void }) {
  const t = useText(pruneText)
  const state = useRouteQuery(viewPrune, { guild_id: guild.id })
  const [isFollowed, setFollowed] = useState(false)
  const isRunning = state.answer?.is_running === true
  useEffect(() => {
    if (isRunning) setFollowed(true)
  }, [isRunning])
  return (
    <Sheet title={t.title} onClose={onClose}>
      <Loaded of={state} title={t.stateFailed}>
        {(answer) =>
          answer.is_running || isFollowed ? (
            <Progress state={answer} onLook={state.refetch} />
          ) : (
            <Choice guild={guild} onRunning={state.refetch} />
          )
        }
      </Loaded>
    </Sheet>
  )
}

function Progress({ state, onLook }: { state: PruneState; onLook: () => void }) {
  const t = useText(pruneText)
  const { is_running, total, removed } = state
  const look = useRef(onLook)
  look.current = onLook
  useEffect(() => {
    if (!is_running) {
      invalidateRoute(userList)
      refreshMembers()
      return
    }
    const timer = setInterval(() => look.current(), LOOK_MS)
    return () => clearInterval(timer)
  }, [is_running])
  return (
    <div className={acts.form}>
      <p role="status">{is_running ? t.running(removed, total) : t.ended(removed)}</p>
      {is_running && (
        <>
          <progress className={styles.progress} max={total} value={removed} aria-label={t.title} />
          <p className={styles.fact}>{t.goesOn}</p>
        </>
      )}
    </div>
  )
}

/** Days as they are typed; null: none that can be asked for. */
function readDays(typed: string): number | null {
  const days = Number(typed)
  return Number.isInteger(days) && days >= 1 && days <= SILENT_DAYS_MAX ? days : null
}

function Choice({ guild, onRunning }: { guild: Guild; onRunning: () => void }) {
  const t = useText(pruneText)
  const [chosen, setChosen] = useState(USUAL_DAYS)
  const [typed, setTyped] = useState('')
  const late = useDebounced(typed, ASK_AFTER_MS)
  const [roleIds, setRoleIds] = useState<readonly number[]>([])
  const days = chosen === TYPED ? readDays(late) : chosen
  return (
    <div className={acts.form}>
      <p className={acts.why}>{t.why}</p>
      <Select
        label={t.silent}
        options={[...DAYS.map((value) => ({ value, name: t.days(value) })), { value: TYPED, name: t.other }]}
        value={chosen}
        onChange={setChosen}
      />
      {chosen === TYPED && (
        <div className={styles.days}>
          <Field
            label={t.howMany}
            name="days"
            inputMode="numeric"
            autoComplete="off"
            read={foldDigits}
            value={typed}
            onChange={setTyped}
            error={late !== '' && days === null ? t.daysWrong(SILENT_DAYS_MAX) : undefined}
          />
        </div>
      )}
      <Roles guild={guild} chosen={roleIds} onChange={setRoleIds} />
      {days !== null && <Preview guildId={guild.id} days={days} roleIds={roleIds} onRunning={onRunning} />}
    </div>
  )
}

/** Roles below the reader. */
function Roles(props: {
  guild: Guild
  chosen: readonly number[]
  onChange: (chosen: readonly number[]) => void
}) {
  const { guild, chosen } = props
  const t = useText(pruneText)
  const me = { is_master: guild.is_master, roles: guild.my_roles }
  const roles = guild.roles.filter((role) => role.role_id !== EVERYONE && outranksRole(me, role, guild.roles))
  if (roles.length === 0) return null
  return (
    <fieldset className={`${acts.choice} ${styles.roles}`}>
      <legend>{t.roles}</legend>
      {roles.map(({ role_id, name }) => (
        <label key={role_id} className={acts.option}>
          <input
            type="checkbox"
            checked={chosen.includes(role_id)}
            onChange={({ currentTarget: { checked } }) =>
              props.onChange(checked ? [...chosen, role_id] : chosen.filter((it) => it !== role_id))
            }
          />
          {name}
        </label>
      ))}
    </fieldset>
  )
}

/** Who it would be, and the button that asks once more with their number. */
function Preview(props: {
  guildId: GuildId
  days: number
  roleIds: readonly number[]
  onRunning: () => void
}) {
  const { guildId, days, roleIds } = props
  const t = useText(pruneText)
  const which = {
    guild_id: guildId,
    silent_days: days,
    ...(roleIds.length > 0 && { role_ids: [...roleIds] }),
  }
  const preview = useRouteQuery(previewPrune, which)
  const [isAsked, setAsked] = useState(false)
  const pruning = useCall(pruneMembers)
  const prune = async () => {
    setAsked(false)
    const started = await pruning.run(which, ({ message, name }) => {
      toast(message)
      if (name === 'prune.running') props.onRunning()
    })
    if (!started) return
    if (started.total === 0) return preview.refetch()
    cache.setQueryData(queryKeyOf(viewPrune, { guild_id: guildId }), started)
  }
  return (
    <Loaded of={preview} title={t.failed}>
      {({ count, items }) => (
        <>
          <p className={styles.summary} role="status">
            {t.count(count)}
          </p>
          {count > 0 && (
            <>
              <ul className={styles.outcomes} aria-label={t.first}>
                {items.map((it) => (
                  <li key={it.id} className={styles.outcome}>
                    <Avatar of={it} size={32} />
                    <span className={styles.name}>{it.nickname || it.username}</span>
                  </li>
                ))}
              </ul>
              {count > items.length && <p className={styles.summary}>{t.more(count - items.length)}</p>}
              <Button block kind="danger" busy={pruning.status === 'busy'} onPress={() => setAsked(true)}>
                {t.remove(count)}
              </Button>
            </>
          )}
          {isAsked && (
            <Dialog
              danger
              title={t.sure(count)}
              message={t.sureWhy}
              confirm={t.removeNow}
              onClose={() => setAsked(false)}
              onConfirm={() => void prune()}
            />
          )}
        </>
      )}
    </Loaded>
  )
}
