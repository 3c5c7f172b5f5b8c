import { useEffect, useState } from 'react'
import { copyText } from '../kit/browser/clipboard.ts'
import { useText } from '../kit/i18n.ts'
import { CopyIcon } from '../ui/icon/icons.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import styles from './CodeBlock.module.css'
import type { HighlightSpan } from './highlight.ts'
import { requestHighlight } from './highlightClient.ts'
import { text } from './text.ts'

/** Cache of highlighted code; the oldest is dropped first. */
const cache = new Map<string, readonly HighlightSpan[] | null>()
const SHADED_MAX = 64

/** A code block: scrolls sideways, can be copied, and is highlighted asynchronously. */
export function CodeBlock({ lang, value }: { lang: string; value: string }) {
  const t = useText(text)
  const code = value.replace(/\n$/, '')
  const spans = useHighlight(code, lang)
  const copy = async () => toast((await copyText(value)) ? t.copied : t.copyFailed)
  return (
    <div className={styles.block}>
      <div className={styles.head}>
        <span>{lang || t.code}</span>
        <button
          type="button"
          className={styles.copy}
          data-part="copy-code"
          onClick={() => void copy()}
          aria-label={t.copyCode}
        >
          <CopyIcon size={16} />
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      {/* biome-ignore lint/a11y/useSemanticElements: no element says "this group of words" */}
      <pre className={styles.code} tabIndex={0} role="group" aria-label={lang ? t.codeIn(lang) : t.code}>
        <code>
          {spans?.map(({ words: content, kind }, index) =>
            kind ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: the spans of one code block never move
              <span key={index} data-shade={kind}>
                {content}
              </span>
            ) : (
              content
            ),
          ) ?? code}
        </code>
      </pre>
    </div>
  )
}

/** The highlighted code; null until it is ready. */
function useHighlight(code: string, lang: string): readonly HighlightSpan[] | null {
  const key = `${lang}\n${code}`
  const [known, setKnown] = useState<{ key: string; spans: readonly HighlightSpan[] | null } | null>(null)
  useEffect(() => {
    if (lang === '' || cache.has(key)) return
    let isGone = false
    void requestHighlight(code, lang).then((spans) => {
      const oldest = cache.keys().next().value
      if (cache.size >= SHADED_MAX && oldest !== undefined) cache.delete(oldest)
      cache.set(key, spans)
      if (!isGone) setKnown({ key, spans })
    })
    return () => {
      isGone = true
    }
  }, [key, code, lang])
  return known?.key === key ? known.spans : (cache.get(key) ?? null)
}
