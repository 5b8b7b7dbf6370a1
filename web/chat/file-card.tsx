import { useEffect, useState } from 'react'
import type { ChatFile } from '../../events/chat-file.ts'
import { DocumentIcon } from '../ui/icons.tsx'
import { radius, space } from '../ui/theme.ts'
import { type FileStore, fetchFile } from './file-transfer.ts'

const KILOBYTE = 1024

const sizeInWords = (bytes: number) => {
  const kilobytes = Math.max(1, Math.round(bytes / KILOBYTE))
  return kilobytes < KILOBYTE ? `${kilobytes} kB` : `${(kilobytes / KILOBYTE).toFixed(1)} MB`
}

/** The address of an image within the page, once it is here; null where it cannot be had. */
const useImage = (store: FileStore, file: ChatFile) => {
  const [address, setAddress] = useState<string | null>()
  const { sessionId, resumeToken } = store
  const { id, mediaType, size } = file
  const isImage = mediaType.startsWith('image/')
  useEffect(() => {
    if (!isImage) return
    let made: string | undefined
    let isGone = false
    fetchFile({ sessionId, resumeToken }, { id, mediaType, size }).then(
      (blob) => {
        if (isGone) return
        made = URL.createObjectURL(blob)
        setAddress(made)
      },
      () => isGone || setAddress(null),
    )
    return () => {
      isGone = true
      if (made) URL.revokeObjectURL(made)
    }
  }, [sessionId, resumeToken, id, mediaType, size, isImage])
  return address
}

/** Saves a file under its name, as a link to it would: the token that opens it is in no address. */
const save = async (store: FileStore, file: ChatFile, name: string) => {
  const address = URL.createObjectURL(await fetchFile(store, file))
  Object.assign(document.createElement('a'), { href: address, download: name }).click()
  URL.revokeObjectURL(address)
}

/** The file of a message: an image as it looks, anything by its name and size, to be saved by a touch. */
export const FileCard = ({ name, file, store }: { name: string; file: ChatFile; store: FileStore }) => {
  const image = useImage(store, file)
  const [isMissing, setIsMissing] = useState(false)
  return (
    <>
      {image && (
        <img
          src={image}
          alt={name}
          css={{ maxHeight: '12rem', marginBottom: space.tight, borderRadius: radius.control, objectFit: 'contain' }}
        />
      )}
      <button
        type="button"
        aria-label={`Save ${name}, ${sizeInWords(file.size)}`}
        onClick={() => save(store, file, name).catch(() => setIsMissing(true))}
        css={{
          display: 'inline-flex',
          alignItems: 'center',
          gap: space.tight,
          minHeight: '2rem',
          padding: 0,
          border: 0,
          background: 'none',
          color: 'inherit',
          textAlign: 'left',
          textDecoration: 'underline',
          textUnderlineOffset: '0.2em',
          ':focus-visible': { outlineColor: 'currentColor' },
        }}
      >
        <DocumentIcon />
        <span>
          {name} <span css={{ whiteSpace: 'nowrap' }}>({sizeInWords(file.size)})</span>
        </span>
      </button>
      {(isMissing || image === null) && <span role="status"> This file cannot be opened any more.</span>}
    </>
  )
}
