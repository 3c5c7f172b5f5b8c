/** The key of commands: ⌘ of Apple's keyboards, Ctrl of the others. */

/** Whether the platform calls the key of commands ⌘. */
export const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

export const isCommand = ({
  ctrlKey,
  metaKey,
}: {
  readonly ctrlKey: boolean
  readonly metaKey: boolean
}): boolean => (isMac ? metaKey : ctrlKey)
