import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { type FoundGuild, findGuilds } from '@guildhall/wire/staff/guilds.ts'
import { foldCode } from '@guildhall/wire/typed.ts'
import { foldDashed } from '@guildhall/wire/words.ts'
import { useText } from '../../kit/i18n.ts'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { FindGuildDrawing } from '../drawings.tsx'
import { type Column, DataTable } from '../parts/DataTable.tsx'
import { NamedGuild, NamedPerson } from '../parts/Named.tsx'
import { SearchForm, useSearched } from '../parts/SearchForm.tsx'
import { Moment, SectionPage } from '../parts/Section.tsx'
import { useStaffPages } from '../parts/useStaffPages.ts'
import { sectionText } from '../text.ts'
import { GuildTags } from './GuildTags.tsx'
import { guildsText } from './guildsText.ts'

/** The fields of a search that are given; null: none is. */
function wanted({ id, custom, owner, name }: Readonly<Record<string, string>>) {
  if (id) return { guild_id: id as GuildId }
  if (custom) return { custom_id: custom }
  if (owner) return { owner_id: owner as UserId }
  return name ? { name } : null
}

export function GuildSearch() {
  const t = useText(guildsText)
  const names = useText(sectionText)
  const input = wanted(useSearched())
  const rows = useStaffPages(findGuilds, input ?? {}, ({ id }) => ({ after: id }), input !== null)
  const columns: readonly Column<FoundGuild>[] = [
    { title: t.guild, cell: (it) => <NamedGuild id={it.id} name={it.name} icon={it.icon} /> },
    { title: t.id, cell: ({ id }) => id },
    { title: t.owner, cell: ({ owner }) => <NamedPerson {...owner} /> },
    { title: t.level, cell: ({ level }) => t.levelOf(level) },
    { title: t.state, cell: (it) => <GuildTags of={it} /> },
    { title: t.created, cell: ({ created_at }) => <Moment at={created_at} /> },
  ]
  return (
    <SectionPage title={names.guilds} lead={t.lead}>
      <SearchForm
        fields={[
          { name: 'name', label: t.name, placeholder: t.nameHint },
          { name: 'id', label: t.id, read: foldCode },
          { name: 'custom', label: t.customId, read: foldDashed },
          { name: 'owner', label: t.ownerId, read: foldCode },
        ]}
      />
      {input ? (
        <DataTable caption={names.guilds} columns={columns} rows={rows} keyOf={({ id }) => id} />
      ) : (
        <EmptyState icon={<FindGuildDrawing />} title={t.ask} message={t.askWhy} />
      )}
    </SectionPage>
  )
}
