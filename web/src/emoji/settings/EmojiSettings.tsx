import { type ListedEmoji, listGuildEmoji } from '@guildhall/wire/emoji/emoji.ts'
import { amountAt, firstLevelOf, hasRight, LEVEL_MAX } from '@guildhall/wire/guild/levelRights.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { useRef } from 'react'
import { Link } from 'react-router'
import { useText } from '../../kit/i18n.ts'
import { useRouteQuery } from '../../kit/routeQuery.ts'
import { ActionRows } from '../../ui/ActionRow.tsx'
import { Button } from '../../ui/Button.tsx'
import fieldStyles from '../../ui/form/Field.module.css'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { Loaded } from '../../ui/state/Loaded.tsx'
import { EmojiDrawing } from './drawings.tsx'
import { EmojiRow } from './EmojiRow.tsx'
import styles from './EmojiSettings.module.css'
import { PickedRow } from './PickedRow.tsx'
import { settingsText } from './settingsText.ts'
import { usePickedEmoji } from './usePickedEmoji.ts'

interface Props {
  readonly guild: { readonly id: GuildId; readonly level: number }
}

/** The emoji of a guild: adding several at once, renaming and deleting them. */
export default function EmojiSettings({ guild }: Props) {
  const t = useText(settingsText)
  const emoji = useRouteQuery(listGuildEmoji, { guild_id: guild.id })
  return (
    <Loaded of={emoji} title={t.failed}>
      {({ items }) => <Emoji guild={guild} items={items} />}
    </Loaded>
  )
}

/** The most used first; among those that are used alike the newest. */
const byUse = (items: readonly ListedEmoji[]): ListedEmoji[] =>
  items.toReversed().sort((one, other) => other.uses - one.uses)

function Emoji({ guild, items }: Props & { items: readonly ListedEmoji[] }) {
  const t = useText(settingsText)
  const { id, level } = guild
  const most = amountAt('emoji', level)
  const isFull = items.length >= most
  const adding = usePickedEmoji(guild, most - items.length)
  const file = useRef<HTMLInputElement>(null)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a convenience; the button does the same
    <div
      className={styles.section}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        if (!isFull) void adding.open([...event.dataTransfer.files])
      }}
    >
      <div className={styles.about}>
        <p className={styles.count}>{[t.count(items.length, most), t.level(level)].join(' · ')}</p>
        <p className={styles.fact}>{t.rules}</p>
        {!hasRight('emoji_gif', level) && (
          <p className={styles.fact}>{t.stills(firstLevelOf('emoji_gif'))}</p>
        )}
        {isFull && <p className={styles.full}>{t.full}</p>}
        {level < LEVEL_MAX && (
          <Link className={styles.more} to={`/guild/boost/${id}`}>
            {t.more}
          </Link>
        )}
      </div>
      <input
        ref={file}
        className={styles.file}
        type="file"
        accept="image/*"
        multiple
        aria-label={t.add}
        tabIndex={-1}
        onChange={({ target }) => {
          void adding.open([...(target.files ?? [])])
          // The same files can be chosen again.
          target.value = ''
        }}
      />
      {!isFull && (
        <Button block kind="soft" busy={adding.isOpening} onPress={() => file.current?.click()}>
          {t.add}
        </Button>
      )}
      <p className={fieldStyles.formProblem} role="alert">
        {adding.problem}
      </p>
      {adding.all.length > 0 && (
        <>
          <ActionRows label={t.adding}>
            {adding.all.map((it) => (
              <PickedRow key={it.key} picked={it} adding={adding} />
            ))}
          </ActionRows>
          <Button block busy={adding.isSending} onPress={() => void adding.upload(adding.all)}>
            {t.upload(adding.all.length)}
          </Button>
        </>
      )}
      {items.length === 0 ? (
        <EmptyState icon={<EmojiDrawing />} title={t.none} message={t.noneWhy} />
      ) : (
        <ActionRows label={t.emoji}>
          {byUse(items).map((it) => (
            <EmojiRow key={it.id} guildId={id} emoji={it} />
          ))}
        </ActionRows>
      )}
    </div>
  )
}
