import { channelType, type Guild } from '@guildhall/wire/channel/channel.ts'
import { flat } from '@guildhall/wire/channel/flat.ts'
import { GUILD_CATEGORIES } from '@guildhall/wire/guild/category.ts'
import {
  type GuildSettings,
  updateGuildSettings,
  viewGuildSettings,
  WELCOME_WORDS_MAX,
} from '@guildhall/wire/profile/settings.ts'
import { useState } from 'react'
import { Link } from 'react-router'
import { useText } from '../kit/i18n.ts'
import { cache, queryKeyOf, useRouteQuery } from '../kit/routeQuery.ts'
import { useCall } from '../kit/useCall.ts'
import { Form } from '../ui/form/Form.tsx'
import { Select } from '../ui/form/Select.tsx'
import { useForm } from '../ui/form/useForm.ts'
import { WordsField } from '../ui/form/WordsField.tsx'
import { NextIcon } from '../ui/icon/icons.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import { GuildIcon } from '../ui/picture/GuildIcon.tsx'
import { Loaded } from '../ui/state/Loaded.tsx'
import { categoryText } from './categoryText.ts'
import styles from './Overview.module.css'
import { overviewText } from './overviewText.ts'

const NO_CHANNEL = '0'

/** How a guild looks, what newcomers see first, and what members are notified of. */
export default function OverviewSettings({ guild }: { guild: Guild }) {
  const t = useText(overviewText)
  const settings = useRouteQuery(viewGuildSettings, { guild_id: guild.id })
  return (
    <>
      <Link className={styles.face} to={`/guild/profile/${guild.id}`}>
        <GuildIcon id={guild.id} name={guild.name} src={guild.icon} size={48} />
        <span className={styles.faceText}>
          <span className={styles.name}>{guild.name}</span>
          <br />
          <span className={styles.why}>{t.profile}</span>
        </span>
        <NextIcon />
      </Link>
      <Loaded of={settings} title={t.failed}>
        {(stored) => <SettingsForm guild={guild} stored={stored} />}
      </Loaded>
    </>
  )
}

/** What is typed stays when somebody else changes the rest; only what differs is sent. */
function SettingsForm({ guild, stored }: { guild: Guild; stored: GuildSettings }) {
  const t = useText(overviewText)
  const form = useForm(['welcome_words'])
  const saving = useCall(updateGuildSettings)
  const [change, setChange] = useState<Partial<GuildSettings>>({})
  const typed = { ...stored, ...change }
  const set = (more: Partial<GuildSettings>) => setChange((all) => ({ ...all, ...more }))
  const save = async () => {
    const input = { guild_id: guild.id }
    const now = await saving.run({ ...input, ...change }, form.refused)
    if (!now) return
    cache.setQueryData(queryKeyOf(viewGuildSettings, input), now)
    setChange({})
    toast(t.saved)
  }
  const channels = flat(guild.channels)
    .filter(({ type }) => type === channelType.text)
    .map(({ id, name }) => ({ value: id as string, name: `#${name}` }))
  const without = (name: string) => [{ value: NO_CHANNEL, name }, ...channels]
  return (
    <Form
      form={form}
      button={t.save}
      busy={saving.status === 'busy'}
      className={styles.form}
      onSubmit={() => void save()}
    >
      <div className={styles.part}>
        <Select
          label={t.defaultChannel}
          options={stored.default_channel_id === NO_CHANNEL ? without(t.none) : channels}
          value={typed.default_channel_id}
          onChange={(default_channel_id) => set({ default_channel_id })}
        />
        <p className={styles.why}>{t.defaultWhy}</p>
      </div>
      <Select
        label={t.welcomeChannel}
        options={without(t.noWelcome)}
        value={typed.welcome_channel_id}
        onChange={(welcome_channel_id) => set({ welcome_channel_id })}
      />
      {typed.welcome_channel_id !== NO_CHANNEL && (
        <div className={styles.part}>
          <WordsField
            label={t.welcomeWords}
            name="welcome_words"
            most={WELCOME_WORDS_MAX}
            rows={3}
            placeholder={t.welcomeHint}
            value={typed.welcome_words}
            error={form.errors.welcome_words}
            onChange={(welcome_words) => set({ welcome_words })}
          />
          <p className={styles.why}>{t.welcomeWhy}</p>
        </div>
      )}
      <div className={styles.part}>
        <Select
          label={t.notify}
          options={[
            { value: 1, name: t.all },
            { value: 2, name: t.mentions },
            { value: 3, name: t.nothing },
          ]}
          value={typed.notify_type}
          onChange={(notify_type) => set({ notify_type })}
        />
        <p className={styles.why}>{t.notifyWhy}</p>
      </div>
      <CategoryPart of={typed.category} onChange={(category) => set({ category })} />
    </Form>
  )
}

type Category = GuildSettings['category']

function CategoryPart({ of, onChange }: { of: Category; onChange: (category: Category) => void }) {
  const t = useText(overviewText)
  const names = useText(categoryText)
  const named = GUILD_CATEGORIES.map((value) => ({ value, name: names[value] }))
  return (
    <div className={styles.part}>
      <Select<Category>
        label={t.category}
        options={[{ value: '', name: t.noCategory }, ...named]}
        value={of}
        onChange={onChange}
      />
      <p className={styles.why}>{t.categoryWhy}</p>
    </div>
  )
}
