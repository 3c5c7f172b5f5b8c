/** The ways that the server has on, and the one that this device's person chose last. */
import { type Way, waysIn } from '@guildhall/wire/auth/ways.ts'
import { useState } from 'react'
import { readStored, writeStored } from '../../kit/browser/storage.ts'

/** Those of `among` that are on, the chosen one, null: none is on, and what chooses another. */
export function useWay<W extends Way>(among: readonly W[]) {
  const [ways] = useState(() =>
    waysIn(document.cookie).filter((way): way is W => among.some((it) => it === way)),
  )
  const [chosen, setChosen] = useState(() => readStored('way'))
  const way = ways.find((each) => each === chosen) ?? ways[0] ?? null
  const choose = (next: W) => {
    writeStored('way', next)
    setChosen(next)
  }
  return { ways, way, choose }
}
