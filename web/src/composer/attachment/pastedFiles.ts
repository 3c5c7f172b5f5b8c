/** What is read of a clipboard. */
type Clipboard = Pick<DataTransfer, 'types' | 'files'> & {
  readonly items?: ArrayLike<Pick<DataTransferItem, 'kind' | 'getAsFile'>>
}

/** The files of a paste that are to be attached; none: its text is pasted. */
export function pastedFiles({ types, files: listed, items }: Clipboard): readonly File[] {
  // Some browsers name a file among the items alone.
  const files =
    listed.length > 0
      ? [...listed]
      : Array.from(items ?? []).flatMap((it) => (it.kind === 'file' ? (it.getAsFile() ?? []) : []))
  // Text copied from an office program comes with a picture of itself, and is formatted. A file copied on a
  // desk comes with its name.
  const isPictureOfText =
    types.includes('text/plain') &&
    types.includes('text/html') &&
    files.every(({ type }) => type.startsWith('image/'))
  return isPictureOfText ? [] : files
}
