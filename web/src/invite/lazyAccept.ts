/** What the landing of an invite loads later, in one file. */
export { acceptAsGuest, enterInShell } from './accepting.ts'
export { default } from './GuestPart.tsx'
