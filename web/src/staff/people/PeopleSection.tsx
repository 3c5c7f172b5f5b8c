import { Route, Routes } from 'react-router'
import { PeopleSearch } from './PeopleSearch.tsx'
import { PersonPage } from './PersonPage.tsx'

/** /staff/people: finding people, and one of them. */
export default function PeopleSection() {
  return (
    <Routes>
      <Route index element={<PeopleSearch />} />
      <Route path=":id" element={<PersonPage />} />
    </Routes>
  )
}
