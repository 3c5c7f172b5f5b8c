import type { Chat } from '@guildhall/wire/chat/chat.ts'
import { blockPerson, requestFriend, unblockPerson } from '@guildhall/wire/friend/friend.ts'
import { viewUser } from '@guildhall/wire/guild/guild.ts'
import { useState } from 'react'
import { type CallFailure, call } from '../kit/call.ts'
import { useText } from '../kit/i18n.ts'
import { openReport } from '../kit/report.ts'
import { reportText } from '../kit/reportText.ts'
import { useRouteQuery } from '../kit/routeQuery.ts'
import { BuffSince, PersonMore } from '../member/member.ts'
import { LockIcon } from '../ui/icon/channelIcons.tsx'
import { FlagIcon } from '../ui/icon/laterIcons.tsx'
import { AddPersonIcon } from '../ui/icon/personIcons.tsx'
import { Dialog } from '../ui/overlay/Dialog.tsx'
import menuStyles from '../ui/overlay/Menu.module.css'
import { MenuItem } from '../ui/overlay/MenuItem.tsx'
import { Sheet } from '../ui/overlay/Sheet.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import { BuffMark } from '../ui/picture/BuffMark.tsx'
import styles from './ChatsScreen.module.css'
import { partnerChanged } from './chatEvents.ts'
import { OnlineAvatar } from './OnlineAvatar.tsx'
import { text } from './text.ts'

/** Who the other person of a conversation is, and what can be done: becoming friends, blocking. */
export function PartnerSheet({ chat, onClose }: { chat: Chat; onClose: () => void }) {
  const t = useText(text)
  const tReport = useText(reportText)
  const [isBlocking, setBlocking] = useState(false)
  const { id, username } = chat.target_info
  const act = (done: Promise<unknown>, success: string | null) => {
    onClose()
    done.then(
      () => {
        if (success) toast(success)
        partnerChanged()
      },
      (failure: CallFailure) => toast(failure.message),
    )
  }
  if (isBlocking)
    return (
      <Dialog
        title={t.blockTitle(username)}
        message={t.blockWords}
        confirm={t.block}
        danger
        onConfirm={() => act(call(blockPerson, { user_id: id }), null)}
        onClose={onClose}
      />
    )
  return (
    <Sheet popover="tall" title={t.person} onClose={onClose}>
      <PartnerCard chat={chat} />
      <PersonMore userId={id} name={username} />
      <div className={menuStyles.menu}>
        {!chat.is_friend && !chat.is_blocked && !chat.target_info.bot && (
          <MenuItem
            icon={<AddPersonIcon />}
            label={t.addFriend}
            onPress={() =>
              act(call(requestFriend, { user_code: `${username}#${chat.target_info.identify_num}` }), t.asked)
            }
          />
        )}
        <MenuItem
          icon={<FlagIcon />}
          label={tReport.report}
          onPress={() => {
            onClose()
            openReport({ kind: 'user', ids: [id], name: username })
          }}
        />
        {chat.is_blocked ? (
          <MenuItem
            icon={<LockIcon />}
            label={t.unblock}
            onPress={() => act(call(unblockPerson, { user_id: id }), null)}
          />
        ) : (
          <MenuItem icon={<LockIcon />} label={t.block} isDanger onPress={() => setBlocking(true)} />
        )}
      </div>
    </Sheet>
  )
}

/** Picture, name and number of the other person, and how they stand to the user. */
function PartnerCard({ chat }: { chat: Chat }) {
  const t = useText(text)
  const { id, username, identify_num, is_vip, online } = chat.target_info
  const viewed = useRouteQuery(viewUser, { user_id: id }, is_vip)
  return (
    <div className={styles.card}>
      <OnlineAvatar size={72} person={chat.target_info} />
      <h3 className={styles.cardName}>
        <span className="named">
          {username}
          {is_vip && <BuffMark />}
        </span>
      </h3>
      <p className={styles.cardTag}>
        #{identify_num} · {online ? t.online : t.offline}
        {chat.is_friend && ` · ${t.isFriend}`}
      </p>
      {is_vip && <BuffSince at={viewed.answer?.buff_since} />}
    </div>
  )
}
