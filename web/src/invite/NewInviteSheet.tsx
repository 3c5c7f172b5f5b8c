import { channelType, type Guild } from '@guildhall/wire/channel/channel.ts'
import { flat } from '@guildhall/wire/channel/flat.ts'
import { createInvite } from '@guildhall/wire/invite/manage.ts'
import { texts } from '@guildhall/wire/locale.ts'
import { grantable } from '@guildhall/wire/permission/hierarchy.ts'
import { has, permission } from '@guildhall/wire/permission/permission.ts'
import { useState } from 'react'
import { useText } from '../kit/i18n.ts'
import { useCall } from '../kit/useCall.ts'
import { Button } from '../ui/Button.tsx'
import { Select } from '../ui/form/Select.tsx'
import { Sheet } from '../ui/overlay/Sheet.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import { DEFAULT_TERMS, LinkBox, ShareRow, TermsRow } from './InviteFriends.tsx'
import styles from './Sharing.module.css'

const text = texts({
  'zh-CN': {
    title: '新建邀请链接',
    channel: '加入后进入',
    anyChannel: '默认频道',
    role: '加入时获得的角色',
    noRole: '不给角色',
    roleWhy: '只列出你可以授予的角色。有人加入时会再检查一次：你届时不能授予的角色不会给出。',
    make: '生成链接',
    ready: '链接已生成',
  },
  en: {
    title: 'New invite link',
    channel: 'Leads to',
    anyChannel: 'The default channel',
    role: 'Role on joining',
    noRole: 'No role',
    roleWhy:
      'Only roles that you may give. It is checked again when somebody joins: one that you may not give by then is not given.',
    make: 'Make the link',
    ready: 'The link is ready',
  },
})

/** Neither of the ids of channels and of roles is so. */
const NONE = '0'

/** Where a new invite leads, whom it makes of newcomers, how long and how often it holds; then its link. */
export function NewInviteSheet(props: { guild: Guild; onMade: () => void; onClose: () => void }) {
  const { guild } = props
  const t = useText(text)
  const [channel, setChannel] = useState(NONE)
  const [role, setRole] = useState(NONE)
  const [terms, setTerms] = useState(DEFAULT_TERMS)
  const [url, setUrl] = useState<string | null>(null)
  const making = useCall(createInvite)
  const channels = flat(guild.channels).filter(
    ({ type, permissions }) => type === channelType.text && has(permissions, permission.create_invite),
  )
  const roles = has(guild.permissions, permission.manage_role) ? grantable(guild) : []
  const make = async () => {
    const target = channels.find(({ id }) => id === channel)
    const made = await making.run(
      {
        guild_id: guild.id,
        ...terms,
        ...(target && { channel_id: target.id }),
        ...(role !== NONE && { role_id: Number(role) }),
      },
      ({ message }) => toast(message),
    )
    if (!made) return
    setUrl(made.url)
    props.onMade()
  }
  return (
    <Sheet title={url ? t.ready : t.title} onClose={props.onClose}>
      {url ? (
        <div className={styles.form}>
          <LinkBox url={url} />
          <ShareRow url={url} />
        </div>
      ) : (
        <div className={styles.form}>
          <Select
            label={t.channel}
            options={[
              { value: NONE, name: t.anyChannel },
              ...channels.map(({ id, name }) => ({ value: id, name: `#${name}` })),
            ]}
            value={channel}
            onChange={setChannel}
          />
          {roles.length > 0 && (
            <>
              <Select
                label={t.role}
                options={[
                  { value: NONE, name: t.noRole },
                  ...roles.map(({ role_id, name }) => ({ value: String(role_id), name })),
                ]}
                value={role}
                onChange={setRole}
              />
              {role !== NONE && <p className={styles.why}>{t.roleWhy}</p>}
            </>
          )}
          <TermsRow terms={terms} onChange={setTerms} />
          <Button block busy={making.status === 'busy'} onPress={() => void make()}>
            {t.make}
          </Button>
        </div>
      )}
    </Sheet>
  )
}
