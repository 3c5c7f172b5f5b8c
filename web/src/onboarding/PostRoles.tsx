import { type Channel, channelType, type Guild } from '@guildhall/wire/channel/channel.ts'
import { flat } from '@guildhall/wire/channel/flat.ts'
import { postRoles } from '@guildhall/wire/onboarding/onboarding.ts'
import { whyCannotSend } from '@guildhall/wire/permission/permission.ts'
import { useState } from 'react'
import { useMe } from '../auth/auth.ts'
import { useText } from '../kit/i18n.ts'
import { useCall } from '../kit/useCall.ts'
import { Button } from '../ui/Button.tsx'
import { Select } from '../ui/form/Select.tsx'
import { Sheet } from '../ui/overlay/Sheet.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import styles from './Onboarding.module.css'
import { settingsText } from './settingsText.ts'

/** Posts a card in a channel, from which members open the roles; it needs some that are saved. */
export function PostRoles({ guild, isOffering }: { guild: Guild; isOffering: boolean }) {
  const t = useText(settingsText)
  const [isOpen, setOpen] = useState(false)
  return (
    <section className={styles.post} aria-labelledby="post-roles">
      <h2 className={styles.heading} id="post-roles">
        {t.postTitle}
      </h2>
      <p className={styles.hint}>{isOffering ? t.postWhy : t.postFirst}</p>
      <Button block kind="soft" disabled={!isOffering} onPress={() => setOpen(true)}>
        {t.post}
      </Button>
      {isOpen && <PostSheet guild={guild} onClose={() => setOpen(false)} />}
    </section>
  )
}

function PostSheet({ guild, onClose }: { guild: Guild; onClose: () => void }) {
  const t = useText(settingsText)
  const channels = useWritable(guild)
  const [chosen, setChosen] = useState('')
  const posting = useCall(postRoles)
  const channel = channels.find(({ id }) => id === chosen) ?? channels[0]
  const post = async ({ id, name }: Channel) => {
    const input = { guild_id: guild.id, channel_id: id }
    if (!(await posting.run(input, ({ message }) => toast(message)))) return
    toast(t.posted(name))
    onClose()
  }
  return (
    <Sheet title={t.post} onClose={onClose}>
      {channel ? (
        <div className={styles.post}>
          <Select
            label={t.postTo}
            options={channels.map(({ id, name }) => ({ value: id, name: `#${name}` }))}
            value={channel.id}
            onChange={setChosen}
          />
          <Button block busy={posting.status === 'busy'} onPress={() => void post(channel)}>
            {t.postNow}
          </Button>
        </div>
      ) : (
        <p className={styles.words}>{t.noChannel}</p>
      )}
    </Sheet>
  )
}

/** The text channels in which the reader may write. */
function useWritable({ channels, is_master, team_members }: Guild): Channel[] {
  const me = useMe()
  const is_team = team_members.includes(me.id)
  return flat(channels).filter(
    ({ type, is_readonly, permissions }) =>
      type === channelType.text &&
      !whyCannotSend({ mobile_verified: true, is_master, is_team, is_readonly, permissions }),
  )
}
