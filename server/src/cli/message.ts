/** `message …` and `asset …`: what people sent. */
import type { MessageId } from '@guildhall/wire/id.ts'
import { removeAsset, removeMessage } from '../staff/staff.ts'
import { type Commands, OPERATOR, uuid } from './command.ts'

export const messageCommands: Commands = {
  'message delete': {
    usage: '--message MESSAGE_ID',
    destroys: ({ message }) => `Message ${message} is deleted for everybody.`,
    recordsItself: true,
    async run({ message = '' }, { appContext }) {
      const messageId = uuid<MessageId>('message', message)
      await removeMessage(appContext, OPERATOR, messageId)
      return { id: messageId, deleted: true }
    },
  },

  'asset delete': {
    usage: '--key KEY',
    destroys: ({ key }) => `The file ${key} is deleted.`,
    recordsItself: true,
    async run({ key = '' }, { appContext }) {
      return { key: await removeAsset(appContext, OPERATOR, key), deleted: true }
    },
  },
}
