import type { Guild } from '@guildhall/wire/channel/channel.ts'
import {
  deleteRule,
  type GuildRule,
  liftPause,
  listRules,
  RULE_KINDS,
  RULES_MAX,
  updateRule,
} from '@guildhall/wire/moderation/moderation.ts'
import { has, permission } from '@guildhall/wire/permission/permission.ts'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { timeLabel } from '../kit/format/time.ts'
import { useLocale, useText } from '../kit/i18n.ts'
import { invalidateRoute, useRouteQuery } from '../kit/routeQuery.ts'
import { useCall } from '../kit/useCall.ts'
import { Toggle } from '../role/role.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { NextIcon } from '../ui/icon/icons.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import { EmptyState } from '../ui/state/EmptyState.tsx'
import { GoneState } from '../ui/state/GoneState.tsx'
import { Loaded } from '../ui/state/Loaded.tsx'
import { draftOf, newDraft } from './draft.ts'
import { RulesDrawing } from './drawings.tsx'
import { HeldMessages } from './HeldMessages.tsx'
import styles from './Moderation.module.css'
import { RulePage } from './RulePage.tsx'
import { kindText, text } from './text.ts'

/**
 * Automatic moderation of a guild: messages that wait, and the rules with what they caught; with `rule` in
 * the query one of them, or a new one.
 */
export default function ModerationSettings({ guild }: { guild: Guild }) {
  const [query] = useSearchParams()
  const chosen = query.get('rule')
  const managesGuild = has(guild.permissions, permission.manage_guild)
  if (managesGuild && chosen !== null) return <Chosen guild={guild} chosen={chosen} />
  return (
    <div className={styles.section}>
      <HeldMessages guild={guild} isAlone={!managesGuild} />
      {managesGuild && <Rules guild={guild} />}
    </div>
  )
}

function Rules({ guild }: { guild: Guild }) {
  const t = useText(text)
  const rules = useRouteQuery(listRules, { guild_id: guild.id })
  const isFull = (rules.answer?.items.length ?? 0) >= RULES_MAX
  return (
    <>
      <Paused guild={guild} rules={rules.answer?.items ?? []} />
      <p className={styles.why}>{t.why}</p>
      {isFull ? (
        <p className={styles.why}>{t.full(RULES_MAX)}</p>
      ) : (
        <Link className={buttonClass('main', true)} to={{ search: '?rule=new' }}>
          {t.make}
        </Link>
      )}
      <Loaded of={rules} title={t.failed}>
        {({ items: all }) =>
          all.length === 0 ? (
            <EmptyState icon={<RulesDrawing />} title={t.none} message={t.noneWhy} />
          ) : (
            <ul className={styles.card} aria-label={t.rules}>
              {all.map((rule) => (
                <RuleRow key={rule.id} rule={rule} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </>
  )
}

/** A raid limits joining: until when, and the way to end it. */
function Paused({ guild, rules }: { guild: Guild; rules: readonly GuildRule[] }) {
  const t = useText(text)
  const locale = useLocale()
  const lifting = useCall(liftPause)
  const until = Math.max(0, ...rules.map(({ paused_until }) => paused_until))
  const lift = async () => {
    if (await lifting.run({ guild_id: guild.id }, ({ message }) => toast(message))) toast(t.lifted)
    invalidateRoute(listRules)
  }
  if (until === 0) return null
  return (
    <div className={styles.paused} role="status">
      <p>{t.paused(timeLabel(until, Date.now(), locale))}</p>
      <Button kind="soft" busy={lifting.status === 'busy'} onPress={() => void lift()}>
        {t.lift}
      </Button>
    </div>
  )
}

function RuleRow({ rule }: { rule: GuildRule }) {
  const t = useText(text)
  const kinds = useText(kindText)
  const switching = useCall(updateRule)
  /** What it was switched to, until the list says so; null: nothing was switched. */
  const [wanted, setWanted] = useState<boolean | null>(null)
  const onSwitch = async (isOn: boolean) => {
    if (switching.status === 'busy') return
    setWanted(isOn)
    const input = { guild_id: rule.guild_id, id: Number(rule.id), switch: isOn }
    await switching.run(input, ({ message }) => toast(message))
    invalidateRoute(listRules)
    setWanted(null)
  }
  return (
    <li className={styles.rule}>
      <Toggle
        name={rule.name}
        why={[kinds[rule.kind][0], t.caught(rule.caught)].join(' · ')}
        isOn={wanted ?? rule.switch}
        onChange={(isOn) => void onSwitch(isOn)}
      />
      <Link className={styles.edit} to={{ search: `?rule=${rule.id}` }} aria-label={t.editOf(rule.name)}>
        {t.edit}
      </Link>
    </li>
  )
}

/** The rule of the query: one that is known, a new one of a kind, or the kinds to choose from. */
function Chosen({ guild, chosen }: { guild: Guild; chosen: string }) {
  const t = useText(text)
  const kinds = useText(kindText)
  const rules = useRouteQuery(listRules, { guild_id: guild.id })
  // The event may take the page away before the answer leads back from it.
  const removing = useCall(deleteRule)
  const kind = RULE_KINDS.find((it) => chosen === `new-${it}`)
  if (chosen === 'new') return <Kinds />
  if (kind)
    return (
      <RulePage
        key={chosen}
        guild={guild}
        rule={null}
        start={newDraft(kind, kinds[kind][0] ?? '')}
        removing={removing}
      />
    )
  return (
    <Loaded of={rules} title={t.failed}>
      {({ items: all }) => {
        const rule = all.find(({ id }) => id === chosen)
        if (rule)
          return <RulePage key={chosen} guild={guild} rule={rule} start={draftOf(rule)} removing={removing} />
        return <GoneState icon={<RulesDrawing />} title={t.gone} message={t.goneWhy} back={t.back} />
      }}
    </Loaded>
  )
}

function Kinds() {
  const t = useText(text)
  const kinds = useText(kindText)
  return (
    <nav className={styles.section} aria-label={t.choose}>
      <h2 className={styles.heading}>{t.choose}</h2>
      <div className={styles.card}>
        {RULE_KINDS.map((kind) => (
          <Link key={kind} className={styles.kind} to={{ search: `?rule=new-${kind}` }} replace>
            <span>
              <span className={styles.kindName}>{kinds[kind][0]}</span>
              <span className={styles.fact}>{kinds[kind][1]}</span>
            </span>
            <NextIcon />
          </Link>
        ))}
      </div>
    </nav>
  )
}
