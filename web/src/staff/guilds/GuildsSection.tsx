import { Route, Routes } from 'react-router'
import { GuildPage } from './GuildPage.tsx'
import { GuildSearch } from './GuildSearch.tsx'

/** /staff/guilds: finding guilds, and one of them. */
export default function GuildsSection() {
  return (
    <Routes>
      <Route index element={<GuildSearch />} />
      <Route path=":id" element={<GuildPage />} />
    </Routes>
  )
}
