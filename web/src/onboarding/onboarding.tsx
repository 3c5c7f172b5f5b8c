/** What other parts of the page show of rules and roles that members choose; loaded when it is needed. */
export { GuildNotes } from './GuildNotes.tsx'
export { RolesSheet } from './RolesSheet.tsx'
export { default } from './RulesGate.tsx'
