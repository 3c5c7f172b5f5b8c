import type { Guild } from '@guildhall/wire/channel/channel.ts'
import type { Message } from '@guildhall/wire/message/message.ts'
import { canManageMessages } from '@guildhall/wire/permission/permission.ts'
import { useState } from 'react'
import { copyText } from '../../kit/browser/clipboard.ts'
import { useText } from '../../kit/i18n.ts'
import { lazy, Suspense } from '../../kit/lazy/lazy.tsx'
import { loadPart } from '../../kit/lazy/lazyPart.ts'
import { openReport } from '../../kit/report.ts'
import { reportText } from '../../kit/reportText.ts'
import { text as kmarkdownText } from '../../kmarkdown/text.ts'
import { isForwarded } from '../../message/menu/MessageMenu.tsx'
import { sheetText } from '../../message/menu/sheetText.ts'
import type { Rights } from '../../message/rights.ts'
import { text as messageText } from '../../message/text.ts'
import type { RoomController } from '../../roomStore/roomController.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { CloseIcon, CopyIcon } from '../../ui/icon/icons.tsx'
import { FlagIcon, ForwardIcon, TrashIcon } from '../../ui/icon/laterIcons.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { useLayer } from '../../ui/overlay/layers.ts'
import { toast } from '../../ui/overlay/Toast.tsx'
import { Spinner } from '../../ui/state/Spinner.tsx'
import styles from './Choose.module.css'
import { chooseText } from './chooseText.ts'

const ForwardSheet = lazy(() => loadPart(() => import('../sheet/ForwardSheet.tsx')))

interface ChooseBarProps {
  chosen: readonly Message[]
  rights: Rights
  actions: RoomController
  guild: Guild | null
  onChange: (open: { readonly id: string; readonly chosen: readonly Message[] } | null) => void
  onClose: () => void
}

/** Below the list while several messages are chosen: how many, and what can be done with all of them. */
export default function ChooseBar(props: ChooseBarProps) {
  const { chosen, rights, onClose } = props
  const t = useText(chooseText)
  const tSheet = useText(sheetText)
  const tRow = useText(messageText)
  const tReport = useText(reportText)
  const [step, setStep] = useState<'delete' | 'forward' | null>(null)
  const { isDeleting, remove } = useDeletion(props)
  useLayer(true, onClose)
  const copy = useCopy(chosen)
  const [first] = chosen
  const isManager = canManageMessages(rights.permissions)
  const report = () =>
    openReport({
      kind: 'message',
      ids: chosen.map(({ id }) => id),
      name: first ? first.author.nickname || first.author.username : '',
    })
  const mayDelete = first && chosen.every(({ author }) => isManager || author.id === rights.meId)
  return (
    <div
      className={styles.bar}
      role="toolbar"
      aria-label={t.bar}
      aria-busy={isDeleting}
      data-part="choose-bar"
    >
      <IconButton label={t.leave} onPress={onClose}>
        <CloseIcon />
      </IconButton>
      <p className={styles.count} role="status">
        {t.chosen(chosen.length)}
      </p>
      {isDeleting && <Spinner size={20} />}
      {first && !isDeleting && (
        <>
          <IconButton label={t.copy} onPress={() => void copy()}>
            <CopyIcon />
          </IconButton>
          {chosen.every(isForwarded) && (
            <IconButton label={tSheet.forward} onPress={() => setStep('forward')}>
              <ForwardIcon />
            </IconButton>
          )}
          {chosen.every(({ author }) => author.id !== rights.meId) && (
            <IconButton label={tReport.report} onPress={report}>
              <FlagIcon />
            </IconButton>
          )}
        </>
      )}
      {mayDelete && !isDeleting && (
        <span className={styles.danger}>
          <IconButton label={tRow.remove} onPress={() => setStep('delete')}>
            <TrashIcon />
          </IconButton>
        </span>
      )}
      {step === 'forward' && first && (
        <Suspense>
          <ForwardSheet
            messageIds={chosen.map(({ id }) => id)}
            guildId={first.guild_id || null}
            {...(first.guild_id === '' && { chatCode: first.channel_id })}
            onClose={() => setStep(null)}
          />
        </Suspense>
      )}
      {step === 'delete' && (
        <Dialog
          title={t.deleteTitle(chosen.length)}
          message={tSheet.deleteWarning}
          confirm={tRow.remove}
          danger
          onConfirm={() => {
            setStep(null)
            void remove()
          }}
          onClose={() => setStep(null)}
        />
      )}
    </div>
  )
}

/** Deletes one after another. What was refused stays chosen, and is said with the reason of the last. */
function useDeletion({ chosen, actions, onChange, onClose }: ChooseBarProps) {
  const t = useText(chooseText)
  const [isDeleting, setDeleting] = useState(false)
  const remove = async () => {
    setDeleting(true)
    const left: Message[] = []
    let why = ''
    for (const message of chosen) {
      const failure = await actions.deleteMessage(message.id)
      if (!failure) continue
      left.push(message)
      why = failure.message
    }
    setDeleting(false)
    const [first] = left
    toast(first ? t.notDeleted(left.length, why) : t.deleted(chosen.length))
    if (first) onChange({ id: first.id, chosen: left })
    else onClose()
  }
  return { isDeleting, remove }
}

/** Copies what they say, with the names where several people wrote. */
function useCopy(chosen: readonly Message[]) {
  const t = useText(chooseText)
  const tKMarkdown = useText(kmarkdownText)
  return async () => {
    const isOfOne = new Set(chosen.map(({ author }) => author.id)).size === 1
    const lines = chosen.map(({ author, kmarkdown: { raw_content } }) =>
      isOfOne ? raw_content : t.line(author.nickname || author.username, raw_content),
    )
    toast((await copyText(lines.join('\n'))) ? tKMarkdown.copied : tKMarkdown.copyFailed)
  }
}
