import type { ComponentProps } from 'react'
import { GivenFiles } from './attachment/GivenFiles.tsx'
import FormatBar from './format/FormatBar.tsx'

/** What is loaded after the composer of a room. `add`: attaches files, where that is allowed. */
export default function ComposerTools({
  add,
  ...format
}: ComponentProps<typeof FormatBar> & { add: ((files: readonly File[]) => void) | null }) {
  return (
    <>
      {add && <GivenFiles box={format.box} add={add} />}
      <FormatBar {...format} />
    </>
  )
}
