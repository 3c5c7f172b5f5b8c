import { useSyncExternalStore } from 'react'
import { onTheme, storedTheme, type Theme } from './theme.ts'

/** The stored theme; the component renders again when it changes. */
export const useTheme = (): Theme => useSyncExternalStore(onTheme, storedTheme)
