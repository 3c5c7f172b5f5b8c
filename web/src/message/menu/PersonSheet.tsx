import type { Guild } from '@guildhall/wire/channel/channel.ts'
import { viewUser } from '@guildhall/wire/guild/guild.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import type { ReactNode } from 'react'
import { copyText } from '../../kit/browser/clipboard.ts'
import { useTheme } from '../../kit/browser/useTheme.ts'
import { dateLabel } from '../../kit/format/time.ts'
import { useLocale, useText } from '../../kit/i18n.ts'
import { openReport } from '../../kit/report.ts'
import { reportText } from '../../kit/reportText.ts'
import { useRouteQuery } from '../../kit/routeQuery.ts'
import { text as commonText } from '../../kit/text.ts'
import { BuffSince, GoneActs, MemberActs, PersonMore } from '../../member/member.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyIcon } from '../../ui/icon/icons.tsx'
import { FlagIcon } from '../../ui/icon/laterIcons.tsx'
import menuStyles from '../../ui/overlay/Menu.module.css'
import { MenuItem } from '../../ui/overlay/MenuItem.tsx'
import { Sheet } from '../../ui/overlay/Sheet.tsx'
import { toast } from '../../ui/overlay/Toast.tsx'
import { Avatar } from '../../ui/picture/Avatar.tsx'
import { BuffMark } from '../../ui/picture/BuffMark.tsx'
import { EmojiText } from '../../ui/picture/EmojiText.tsx'
import { colorsOf, markGround, nameLook } from '../../ui/picture/nameLook.ts'
import { Skeleton } from '../../ui/state/Skeleton.tsx'
import { roleColors } from '../messageContext.ts'
import type { KnownPerson } from '../person.ts'
import { text } from '../text.ts'
import { PersonActs } from './PersonActs.tsx'
import styles from './PersonSheet.module.css'
import { sheetText } from './sheetText.ts'

/** The card of a person in a sheet. */
export default function PersonSheet(props: PersonCardProps & { onClose: () => void }) {
  const t = useText(sheetText)
  return (
    <Sheet popover="tall" title={t.person} onClose={props.onClose}>
      <PersonCard {...props} onGone={props.onClose} />
    </Sheet>
  )
}

interface PersonCardProps {
  userId: string
  known: KnownPerson | null
  /** Null: outside of a guild. */
  guildId: GuildId | null
  guild: Guild | null
  meId: string
  /** Mentions the person in the composer; null: the reader cannot write here. */
  onMention: ((person: { readonly id: string; readonly name: string }) => void) | null
  /** The reader removed the person from the guild. */
  onGone?: () => void
}

/** Who a person is in the guild, and what can be done. What the page knows already is shown at once. */
export function PersonCard(props: PersonCardProps) {
  const { userId, guildId, guild } = props
  const t = useText(sheetText)
  const tCommon = useText(commonText)
  const asked = useRouteQuery(viewUser, {
    user_id: userId as UserId,
    ...(guildId !== null && { guild_id: guildId }),
  })
  const member = asked.answer
  const person = member ?? props.known
  const isGone = asked.failure?.name === 'user.unknown'
  const name = person?.nickname || person?.username || ''
  return (
    <>
      <Head
        userId={userId}
        person={person}
        name={name}
        guild={guild}
        // Whoever looks is here, also before their connection is.
        isOnline={member ? member.online || userId === props.meId : null}
        isMaster={member?.is_master ?? false}
        isAdmin={(member?.is_admin ?? false) && !isSaid(t.admin, person?.roles ?? [], guild)}
        os={member?.os ?? ''}
        buffSince={member?.buff_since}
      >
        {isGone && <span>{t.notMember}</span>}
      </Head>
      {!isGone && userId !== props.meId && (
        <PersonActs
          userId={userId}
          person={person}
          guildId={guildId}
          onMention={props.onMention && (() => props.onMention?.({ id: userId, name }))}
        />
      )}
      {!isGone && asked.failure && (
        <div className={styles.failed} role="alert">
          {asked.failure.message}
          <Button kind="plain" onPress={asked.refetch}>
            {tCommon.retry}
          </Button>
        </div>
      )}
      {!isGone && !asked.failure && guildId !== null && (
        <Roles roles={person?.roles ?? null} guild={guild} joinedAt={member?.joined_at ?? null} />
      )}
      {!isGone && <Acts {...props} member={member} name={name} />}
      {isGone && guild && <GoneActs guild={guild} meId={props.meId} userId={userId} />}
    </>
  )
}

/**
 * What the reader can do with a person. `member`: null until they are loaded; `name`: empty while nothing is
 * known of them.
 */
function Acts(props: PersonCardProps & { member: AnswerOf<typeof viewUser> | null; name: string }) {
  const { userId, guild, member, name, meId } = props
  const tReport = useText(reportText)
  const isOther = userId !== meId
  return (
    <>
      {isOther && <PersonMore userId={userId} name={name} />}
      {guild && member && (
        <MemberActs
          guild={guild}
          meId={meId}
          target={{
            id: member.id,
            name,
            nickname: member.nickname === member.username ? '' : (member.nickname ?? ''),
            roles: member.roles ?? [],
            isMaster: member.is_master ?? false,
          }}
          onGone={props.onGone ?? (() => undefined)}
        />
      )}
      {name !== '' && isOther && (
        <div className={menuStyles.menu}>
          <MenuItem
            icon={<FlagIcon />}
            label={tReport.report}
            onPress={() => openReport({ kind: 'user', ids: [userId], name })}
          />
        </div>
      )}
    </>
  )
}

/** Picture, name and number. `isOnline`: null while it is not known. */
function Head(props: {
  userId: string
  person: KnownPerson | null
  name: string
  guild: Guild | null
  isOnline: boolean | null
  isMaster: boolean
  isAdmin: boolean
  os: string
  buffSince: number | undefined
  children: ReactNode
}) {
  const { person, name, isOnline } = props
  const t = useText(sheetText)
  const tRow = useText(text)
  const theme = useTheme()
  const look = nameLook(roleColors(person?.roles ?? [], props.guild), theme)
  const tag = person && person.identify_num !== '' ? `${person.username}#${person.identify_num}` : null
  const copy = async (tag: string) => toast((await copyText(tag)) ? t.tagCopied : t.tagCopyFailed)
  return (
    <div className={styles.head}>
      <span className={styles.face} data-online={isOnline || undefined}>
        {person ? (
          <Avatar of={{ ...person, id: props.userId }} size={72} />
        ) : (
          <Skeleton className={styles.blank} />
        )}
      </span>
      <div className={styles.who}>
        <span className="named">
          <h3 className={styles.name} {...look} data-part="person-name">
            {name === '' ? <Skeleton width={120} height={24} /> : <EmojiText>{name}</EmojiText>}
          </h3>
          {person?.is_vip && <BuffMark />}
        </span>
        {tag && (
          <button
            type="button"
            className={styles.tag}
            aria-label={t.copyTag(tag)}
            onClick={() => void copy(tag)}
          >
            <span className={styles.tagText}>{tag}</span>
            <CopyIcon size={14} />
          </button>
        )}
        <p className={styles.facts}>
          {props.isMaster && <span className={styles.master}>{t.master}</span>}
          {props.isAdmin && <span className={styles.bot}>{t.admin}</span>}
          {person?.bot && <span className={styles.bot}>{person.is_sys ? tRow.official : tRow.bot}</span>}
          {isOnline !== null && (
            <span>{isOnline ? (isPhone(props.os) ? t.phone : t.online) : t.offline}</span>
          )}
          {props.children}
        </p>
        {person?.is_vip && <BuffSince at={props.buffSince} />}
      </div>
    </div>
  )
}

/** Whether a role of the person has this name, which is then not said twice. */
const isSaid = (name: string, roles: readonly number[], guild: Guild | null): boolean =>
  guild?.roles.some((role) => role.name === name && roles.includes(role.role_id)) ?? false

const isPhone = (os: string): boolean => os === 'iOS' || os === 'Android'

/** The person's roles in the order of the guild's. `roles`: null while they are not known. */
function Roles(props: { roles: readonly number[] | null; guild: Guild | null; joinedAt: number | null }) {
  const { roles, guild } = props
  const t = useText(sheetText)
  const locale = useLocale()
  const theme = useTheme()
  if (!roles || !guild)
    return (
      <div className={styles.roles}>
        <Skeleton width={160} height={28} />
      </div>
    )
  const held = guild.roles.filter((role) => role.role_id !== 0 && roles.includes(role.role_id))
  return (
    <>
      {held.length > 0 && (
        <ul className={styles.roles} aria-label={t.roles}>
          {held.map((role) => (
            <li key={role.role_id} className={styles.role}>
              <span className={styles.dot} style={{ background: markGround(colorsOf(role), theme) }} />
              <span className={styles.roleName}>{role.name}</span>
            </li>
          ))}
        </ul>
      )}
      <p className={styles.joined}>
        {props.joinedAt === null ? ' ' : t.joinedOn(dateLabel(props.joinedAt, locale))}
      </p>
    </>
  )
}
