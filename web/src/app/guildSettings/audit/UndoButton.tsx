import { restoreChannel } from '@guildhall/wire/channel/publicChannel.ts'
import { deleteBan } from '@guildhall/wire/member/moderation.ts'
import { restoreRole } from '@guildhall/wire/role/role.ts'
import { useState } from 'react'
import { useText } from '../../../kit/i18n.ts'
import { useCall } from '../../../kit/useCall.ts'
import { Button } from '../../../ui/Button.tsx'
import { toast } from '../../../ui/overlay/Toast.tsx'
import { text } from './text.ts'
import type { Undo } from './undo.ts'

/** Undoes one act of the log: each row has calls of its own. */
export function UndoButton({ undo, onUndone }: { undo: Undo; onUndone: () => void }) {
  const t = useText(text)
  const unbanning = useCall(deleteBan)
  const restoringChannel = useCall(restoreChannel)
  const restoringRole = useCall(restoreRole)
  const [isDone, setDone] = useState(false)
  const refused = ({ message }: { message: string }) => toast(message)
  const { guildId: guild_id, name } = undo
  const run = () => {
    if (undo.kind === 'unban') return unbanning.run({ guild_id, target_id: undo.userId }, refused)
    if (undo.kind === 'channel') return restoringChannel.run({ channel_id: undo.channelId }, refused)
    return restoringRole.run({ guild_id, role_id: undo.roleId }, refused)
  }
  const press = async () => {
    if (!(await run())) return
    setDone(true)
    toast(undo.kind === 'unban' ? t.unbanned(name) : t.restored(name))
    onUndone()
  }
  if (isDone) return null
  const action = undo.kind === 'unban' ? t.unban : t.restore
  return (
    <Button
      kind="plain"
      aria-label={t.undoOf(action, name)}
      busy={[unbanning, restoringChannel, restoringRole].some(({ status }) => status === 'busy')}
      onPress={() => void press()}
    >
      {action}
    </Button>
  )
}
