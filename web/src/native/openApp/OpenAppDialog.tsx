import { useEffect, useRef } from 'react'
import { useText } from '../../kit/i18n.ts'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { shell } from '../shell.ts'
import { text } from '../text.ts'
import { isAppOffered } from './appOffer.ts'
import styles from './OpenAppDialog.module.css'
import { joinAudioAloud, loadNativeApp, openAppAloud } from './openApp.ts'

interface Asked {
  readonly about: 'voice' | 'media'
  readonly path: string
  readonly file?: { readonly href: string; readonly name: string }
  readonly onClose: () => void
}

/** What only the app can do. Inside of the app a voice channel is joined at once. */
export default function OpenAppDialog(asked: Asked) {
  const [, guildId, channelId] = /^\/channels\/(\d+)\/(\d+)/.exec(asked.path) ?? []
  if (shell() && asked.about === 'voice' && guildId && channelId)
    return <JoinAudio guildId={guildId} channelId={channelId} onClose={asked.onClose} />
  return <Words {...asked} />
}

function JoinAudio(props: { guildId: string; channelId: string; onClose: () => void }) {
  const first = useRef(props)
  useEffect(() => {
    const { guildId, channelId, onClose } = first.current
    void joinAudioAloud(guildId, channelId)
    onClose()
  }, [])
  return null
}

/**
 * Says that the app does what the page cannot, and opens it there, for a voice channel without a further tap;
 * where no app is offered, it advises none, and its only button closes it. `path`: what the app is to show;
 * `file`: what can be had here. chat.md §2 "A voice channel", §8 "voice messages". Decision 89.
 */
function Words({ about, path, file, onClose }: Asked) {
  const t = useText(text)
  const isOffered = isAppOffered()
  useEffect(() => {
    if (isOffered) void (about === 'voice' ? openAppAloud(path) : loadNativeApp())
  }, [isOffered, about, path])
  const open = () => {
    onClose()
    void openAppAloud(path)
  }
  return (
    <Dialog
      title={t.reminder}
      message={isOffered ? t[about] : { voice: t.voiceHere, media: t.mediaHere }[about]}
      confirm={isOffered ? t.openApp : t.gotIt}
      onClose={onClose}
      {...(isOffered && { onConfirm: open })}
    >
      {file && (
        <a className={styles.file} href={file.href} download={file.name} onClick={onClose}>
          {t.download}
        </a>
      )}
    </Dialog>
  )
}
