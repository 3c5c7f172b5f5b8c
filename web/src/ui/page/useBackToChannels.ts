import { use } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '../../kit/paths.ts'
import { DeskContext } from './desk.ts'

/** The way back from a page to which the rail leads; undefined at a desk, where the rail stands beside it. */
export function useBackToChannels(): (() => void) | undefined {
  const navigate = useNavigate()
  return use(DeskContext) ? undefined : () => void navigate(paths.channels())
}
