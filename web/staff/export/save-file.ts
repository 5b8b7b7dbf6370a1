const KEEP_FILE_FOR_MS = 60_000

/** Has the browser save a file under a name. */
export const saveFile = (file: Blob, name: string) => {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), KEEP_FILE_FOR_MS)
}
