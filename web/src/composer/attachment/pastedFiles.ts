/** The files of a paste that are to be attached; none: its text is pasted. */
export function pastedFiles(data: Pick<DataTransfer, 'types' | 'files'>): readonly File[] {
  const files = [...data.files]
  // Text copied from an office program comes with a picture of itself, and is formatted. A file copied on a
  // desk comes with its name.
  const isPictureOfText =
    data.types.includes('text/plain') &&
    data.types.includes('text/html') &&
    files.every(({ type }) => type.startsWith('image/'))
  return isPictureOfText ? [] : files
}
