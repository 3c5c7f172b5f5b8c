/** What later nouns read of messages. */
export { namesIn } from './names.ts'
