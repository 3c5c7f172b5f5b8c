import { createBot } from '@guildhall/wire/bot/bot.ts'
import type { Guild } from '@guildhall/wire/channel/channel.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import { useState } from 'react'
import { upload } from '../asset/asset.ts'
import { guildChanged } from '../guild/guild.ts'
import { useText } from '../kit/i18n.ts'
import { usePickedIcon } from '../kit/picture/usePickedIcon.ts'
import { useCall } from '../kit/useCall.ts'
import { Sheet } from '../ui/overlay/Sheet.tsx'
import { BotForm } from './BotForm.tsx'
import { botsChanged } from './botsChanged.ts'
import { TokenShown } from './TokenShown.tsx'
import { text } from './text.ts'

/** Makes a bot in a guild, and shows its token this once. */
export function NewBotSheet({ guild, onClose }: { guild: Guild; onClose: () => void }) {
  const t = useText(text)
  const [made, setMade] = useState<AnswerOf<typeof createBot> | null>(null)
  const icon = usePickedIcon(upload)
  const creating = useCall(createBot)
  if (made)
    return (
      <Sheet title={t.created(made.bot.user.username)} onClose={onClose}>
        <TokenShown token={made.token} onDone={onClose} />
      </Sheet>
    )
  return (
    <Sheet title={t.make} onClose={onClose}>
      <BotForm
        bot={null}
        icon={icon}
        button={t.create}
        busy={creating.status === 'busy'}
        onSubmit={async ({ name, address }, refused) => {
          const answer = await creating.run({ guild_id: guild.id, name, icon: address }, refused)
          if (!answer) return
          setMade(answer)
          botsChanged()
          // It may have come with a role.
          guildChanged(guild.id)
        }}
      />
    </Sheet>
  )
}
