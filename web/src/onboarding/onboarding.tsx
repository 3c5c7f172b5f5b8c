/**
 * What other parts of the page show of rules and roles that members choose; loaded when it is needed. The
 * section of the settings takes what it shares from here: rooms name one file less.
 */
export { GuildNotes } from './GuildNotes.tsx'
export { RolesSheet } from './RolesSheet.tsx'
export { default } from './RulesGate.tsx'
export { useOnboarding } from './useOnboarding.ts'
