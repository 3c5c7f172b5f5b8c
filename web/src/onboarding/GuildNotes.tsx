import type { Guild } from '@guildhall/wire/channel/channel.ts'
import { ROLES_SEARCH } from '@guildhall/wire/onboarding/rolesAddress.ts'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { writeStored } from '../kit/browser/storage.ts'
import { storedList } from '../kit/browser/storedList.ts'
import { useText } from '../kit/i18n.ts'
import { Button } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { CloseIcon } from '../ui/icon/icon.tsx'
import { leaveLayers } from '../ui/overlay/layers.ts'
import { Checklist } from './Checklist.tsx'
import styles from './Onboarding.module.css'
import { RolesSheet } from './RolesSheet.tsx'
import { text } from './text.ts'
import { useOnboarding } from './useOnboarding.ts'

/**
 * Above the channels of a guild: what a new one still needs, and the roles that its reader may choose, which
 * are open at an address of their own.
 */
export function GuildNotes({ guild, isCovered }: { guild: Guild; isCovered: boolean }) {
  const { has_checklist, offers_roles } = guild.user_config
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const close = async () => {
    await leaveLayers()
    await navigate(pathname, { replace: true })
  }
  return (
    <>
      {has_checklist && <Checklist guild={guild} isCovered={isCovered} />}
      {offers_roles && <RolesNote guild={guild} />}
      {search === ROLES_SEARCH && <RolesSheet guildId={guild.id} onClose={() => void close()} />}
    </>
  )
}

/** Until somebody chose, or closed it. */
function RolesNote({ guild }: { guild: Guild }) {
  const t = useText(text)
  const { answer } = useOnboarding(guild.id)
  const [isOpen, setOpen] = useState(false)
  const [closed, setClosed] = useState(() => storedList('roles_note_closed'))
  const offered = answer?.questions.flatMap(({ role_ids }) => role_ids) ?? []
  const hasChosen = offered.some((id) => guild.my_roles.includes(id))
  const isNoted = offered.length > 0 && !hasChosen && !guild.user_config.owes_rules && !guild.is_master
  const close = () => {
    const all = [...closed, guild.id]
    setClosed(all)
    writeStored('roles_note_closed', all)
  }
  return (
    <>
      {isNoted && !closed.includes(guild.id) && (
        <div className={styles.note}>
          <span className={styles.why}>{t.note}</span>
          <Button kind="soft" onPress={() => setOpen(true)}>
            {t.choose}
          </Button>
          <IconButton label={t.close} onPress={close}>
            <CloseIcon size={18} />
          </IconButton>
        </div>
      )}
      {isOpen && <RolesSheet guildId={guild.id} onClose={() => setOpen(false)} />}
    </>
  )
}
