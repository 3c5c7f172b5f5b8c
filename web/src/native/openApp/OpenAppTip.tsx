import { useEffect } from 'react'
import { useText } from '../../kit/i18n.ts'
import { NextIcon } from '../../ui/icon/icons.tsx'
import { PhoneIcon } from '../../ui/icon/laterIcons.tsx'
import { text } from '../text.ts'
import { isAppOffered } from './appOffer.ts'
import { loadNativeApp, openAppAloud } from './openApp.ts'

/** The way into the app, where one is offered. chat.md §2 "Header tip". */
export default function OpenAppTip({ path, className }: { path: string; className?: string | undefined }) {
  const t = useText(text)
  const isOffered = isAppOffered()
  useEffect(() => {
    if (isOffered) void loadNativeApp()
  }, [isOffered])
  return isOffered ? (
    <button type="button" className={className} data-app onClick={() => void openAppAloud(path)}>
      <PhoneIcon size={18} />
      <span>{t.openApp}</span>
      <NextIcon size={16} />
    </button>
  ) : null
}
